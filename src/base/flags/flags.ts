import { editDistance } from '../edit-distance.js'

/** A program was called with arguments that it does not accept. The message is one sentence and says what would be right. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

export interface Flag<Value> {
  readonly help: string
  /** Stands for the value in the list of flags: `PORT`. Empty for a flag that needs no value. */
  readonly placeholder: string
  /** The letter after a single dash: `n` of `-n`. */
  readonly short?: string
  /** The value of a flag that is given without one, as `--watch`. A flag that has no `bare` value needs a value. */
  readonly bare?: string
  /** The environment variable that is read if the flag is not given. */
  readonly variable?: string
  /** An empty environment variable is an error. Otherwise it counts as not set. */
  readonly refusesEmpty?: boolean
  /** Help does not list it. */
  readonly isHidden?: boolean
  /** Why the flag should no longer be used. Users of the flag see it as a warning. */
  readonly deprecated?: string
  /** Reads all texts that were given, in order. Without texts it returns the default. Throws `UsageError`. */
  read(texts: readonly string[]): Value
  /** The default, as the list of flags shows it. */
  readonly defaultText: string
}

/** The environment variables of a process. */
export type ProcessVariables = Readonly<Record<string, string | undefined>>

export type FlagTable = Readonly<Record<string, Flag<unknown>>>
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never
}

export interface ParsedArguments<Table extends FlagTable> {
  readonly flags: FlagValues<Table>
  /** The arguments that are neither flags nor values of flags. */
  readonly operands: readonly string[]
  /** The number of operands before `--`; undefined without `--`. */
  readonly dash: number | undefined
  /** The flags in the order in which they were given, each with the words that repeat it: `['--port', '80']`. */
  readonly given: readonly GivenFlag[]
  /** Whether a flag was given, even with its default. */
  isSet(name: keyof Table & string): boolean
}

interface GivenFlag {
  readonly name: string
  readonly words: readonly string[]
}

/** Builds the errors of the parser. The components of a cluster and kubectl use different words for the same problems. */
export interface FlagErrors {
  /** `word` has no name, as `--=x`. */
  malformed(word: string): Error
  unknownFlag(table: FlagTable, name: string): Error
  /** `letter` stands in `word`, which starts with a single dash. */
  unknownShorthand(table: FlagTable, letter: string, word: string): Error
  /** `shorthand` is set if the flag was given by its letter. */
  missingValue(name: string, flag: Flag<unknown>, shorthand?: { readonly letter: string; readonly word: string }): Error
  /** `error` comes from `flag.read`. */
  invalidValue(name: string, flag: Flag<unknown>, text: string, error: UsageError): Error
}

interface ParseOptions {
  readonly variables?: ProcessVariables
  readonly errors?: FlagErrors
}

/** Reads a line in the grammar of pflag: flags may stand anywhere before `--`, and one-letter flags may be joined (`-it`). */
export function parseArguments<Table extends FlagTable>(
  table: Table,
  line: readonly string[],
  { variables = {}, errors = componentErrors }: ParseOptions = {},
): ParsedArguments<Table> {
  const reader = new LineReader(table, errors)
  reader.read(line)
  const values = Object.entries(table).map(([name, flag]) => [
    name,
    reader.isSet(name) ? reader.value(name) : defaultValue(name, flag, variables),
  ])
  const { operands, dash, given } = reader
  return { flags: Object.fromEntries(values), operands, dash, given, isSet: (name) => reader.isSet(name) }
}

/** Reads the arguments of a command that has flags only. */
export function parseFlags<Table extends FlagTable>(
  table: Table,
  args: readonly string[],
  variables: ProcessVariables = {},
): FlagValues<Table> {
  const { flags, operands, dash } = parseArguments(table, args, { variables })
  const unexpected = dash === 0 ? '--' : operands[0]
  if (unexpected !== undefined) throw new UsageError(`unexpected argument "${unexpected}"`)
  return flags
}

/** Returns the arguments without the flags in `names` and their values. `parseFlags` must accept the arguments. */
export function argumentsWithout(
  table: FlagTable,
  args: readonly string[],
  names: readonly string[],
): readonly string[] {
  const { given } = parseArguments(table, args)
  return given.filter(({ name }) => !names.includes(name)).flatMap(({ words }) => words)
}

/** Reads words from left to right. A wrong value is reported before an error in a later word. */
class LineReader {
  readonly operands: string[] = []
  readonly given: GivenFlag[] = []
  dash: number | undefined
  readonly #table: FlagTable
  readonly #errors: FlagErrors
  readonly #texts = new Map<string, readonly string[]>()
  readonly #values = new Map<string, unknown>()
  #rest: string[] = []

  constructor(table: FlagTable, errors: FlagErrors) {
    this.#table = table
    this.#errors = errors
  }

  isSet(name: string): boolean {
    return this.#values.has(name)
  }

  value(name: string): unknown {
    return this.#values.get(name)
  }

  read(line: readonly string[]): void {
    this.#rest = [...line]
    while (this.#rest.length > 0) this.#readWord(this.#rest.shift()!)
  }

  #readWord(word: string): void {
    if (word === '--') {
      this.dash = this.operands.length
      this.operands.push(...this.#rest)
      this.#rest = []
    } else if (word.startsWith('--')) this.#readLong(word)
    else if (word.startsWith('-') && word !== '-') this.#readShort(word.slice(1), word)
    else this.operands.push(word)
  }

  #readLong(word: string): void {
    const [, name = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word)!
    if (name === '' || name.startsWith('-')) throw this.#errors.malformed(word)
    const flag = Object.hasOwn(this.#table, name) ? this.#table[name] : undefined
    if (!flag) throw this.#errors.unknownFlag(this.#table, name)
    const assigned = value ?? flag.bare
    const text = assigned ?? this.#rest.shift()
    if (text === undefined) throw this.#errors.missingValue(name, flag)
    this.#set(name, flag, assigned === undefined ? [word, text] : [word], text)
  }

  /** `-it`, `-n=default`, `-ndefault`, `-n default` */
  #readShort(letters: string, word: string): void {
    const [letter = '', ...others] = letters
    const rest = others.join('')
    const name = nameOfShorthand(this.#table, letter)
    if (name === undefined) throw this.#errors.unknownShorthand(this.#table, letter, word)
    const flag = this.#table[name]!
    const isAssigned = rest.startsWith('=') && rest.length > 1
    if (flag.bare !== undefined && !isAssigned) {
      this.#set(name, flag, [`-${letter}`], flag.bare)
      if (rest !== '') this.#readShort(rest, word)
      return
    }
    const value = rest.replace(/^=(?=.)/s, '') || this.#rest.shift()
    if (value === undefined) throw this.#errors.missingValue(name, flag, { letter, word })
    this.#set(name, flag, isAssigned ? [`-${letter}=${value}`] : [`-${letter}`, value], value)
  }

  #set(name: string, flag: Flag<unknown>, words: readonly string[], text: string): void {
    const texts = [...(this.#texts.get(name) ?? []), text]
    this.#texts.set(name, texts)
    this.#values.set(
      name,
      readValue(texts, flag, (error) => this.#errors.invalidValue(name, flag, text, error)),
    )
    this.given.push({ name, words })
  }
}

/** A flag with a name of one letter is its own shorthand. */
function nameOfShorthand(table: FlagTable, letter: string): string | undefined {
  return Object.keys(table).find((name) => (table[name]!.short ?? name) === letter)
}

function readValue(texts: readonly string[], flag: Flag<unknown>, invalid: (error: UsageError) => Error): unknown {
  try {
    return flag.read(texts)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw invalid(error)
  }
}

function defaultValue(name: string, flag: Flag<unknown>, variables: ProcessVariables): unknown {
  const { variable, refusesEmpty = false } = flag
  const text = variable === undefined ? undefined : variables[variable]
  const isGiven = text !== undefined && (refusesEmpty || text !== '')
  if (isGiven) return readValue([text], flag, (error) => unusable(`${variable}=${text}`, error))
  return readValue([], flag, (error) => unusable(`--${name}`, error))
}

function unusable(assignment: string, { message }: UsageError): UsageError {
  return new UsageError(`${assignment} cannot be used: ${message}`)
}

/** The words of all commands but kubectl. */
const componentErrors: FlagErrors = {
  malformed: (word) => new UsageError(`unexpected argument "${word}"`),
  unknownFlag: (table, name) => unknownFlag(table, `--${name}`),
  unknownShorthand: (table, _, word) => unknownFlag(table, word.replace(/=.*/s, '')),
  missingValue: (name, { placeholder }) => new UsageError(`--${name} needs a value: --${name}=${placeholder}`),
  invalidValue: (name, _, text, error) => unusable(`--${name}=${text}`, error),
}

function unknownFlag(table: FlagTable, given: string): UsageError {
  const wanted = given.replace(/^-+/, '')
  const [nearest] = Object.keys(table)
    .map((name) => ({ name, distance: editDistance(name, wanted) }))
    .sort((a, b) => a.distance - b.distance)
  const isNear = nearest && nearest.distance <= Math.max(2, wanted.length / 4)
  const hint = isNear ? `did you mean --${nearest.name}?` : '--help lists all flags'
  return new UsageError(`unknown flag ${given}; ${hint}`)
}

/** Returns the index of the first operand in a line; -1 if there is none. An unknown flag is assumed to have a value. */
export function firstOperand(table: FlagTable, line: readonly string[]): number {
  for (let index = 0; index < line.length; index++) {
    const word = line[index]!
    if (word === '--') return -1
    if (!word.startsWith('-') || word === '-') return index
    if (takesNext(table, word)) index++
  }
  return -1
}

/** Whether the value of the flag is the next word. */
function takesNext(table: FlagTable, word: string): boolean {
  if (word.includes('=')) return false
  if (word.startsWith('--')) return table[word.slice(2)]?.bare === undefined
  if (word.length > 2) return false
  return Object.values(table).find(({ short }) => short === word[1])?.bare === undefined
}

/** Lists the flags of a table, each with its help and its default, for `--help`. */
export function describeFlags(table: FlagTable): string {
  return Object.entries(table)
    .map(([name, flag]) => {
      const short = flag.short === undefined ? '' : `-${flag.short}, `
      const value = flag.placeholder === '' ? '' : ` ${flag.placeholder}`
      const standard = [
        flag.variable === undefined ? '' : `$${flag.variable}`,
        flag.defaultText === '' ? '' : `default ${flag.defaultText}`,
      ].filter((text) => text !== '')
      const otherwise = standard.length === 0 ? '' : ` (${standard.join(', ')})`
      return `  ${short}--${name}${value}\n      ${flag.help}${otherwise}\n`
    })
    .join('')
}
