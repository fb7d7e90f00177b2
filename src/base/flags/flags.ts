import { editDistance } from '../edit-distance.js'

/** A program was called in a way that it does not understand. The message is one sentence, and says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Flag<Value> {
  readonly help: string
  /** What stands for the value in the list of flags: `PORT`. Empty for a flag that needs none. */
  readonly placeholder: string
  /** One letter, after one dash. */
  readonly short?: string
  /** A variable of the process environment that counts where the flag is not given. */
  readonly variable?: string
  /** Whether a variable that is set to nothing is an error. Otherwise it counts as not set. */
  readonly refusesEmpty?: boolean
  /** From all the texts that were given, in order; there are none if the flag was not. Throws `UsageError`. */
  read(texts: readonly string[]): Value
  /** As the list of flags shows it. */
  readonly defaultText: string
}

/** Of the process environment. */
export type Variables = Readonly<Record<string, string | undefined>>

export type FlagTable = Readonly<Record<string, Flag<unknown>>>
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never
}

/** Reads `--name=value`, `--name value` and, for flags that need no value, `--name`. Everything else is refused. */
export function parseFlags<Table extends FlagTable>(
  table: Table,
  args: readonly string[],
  variables: Variables = {},
): FlagValues<Table> {
  const texts = new Map<string, string[]>()
  for (let index = 0; index < args.length; index++) {
    const { name, flag, value } = readArgument(table, args[index]!)
    const text = value ?? (flag.placeholder === '' ? 'true' : args[++index])
    if (text === undefined) throw new UsageError(`--${name} needs a value: --${name}=${flag.placeholder}`)
    texts.set(name, [...(texts.get(name) ?? []), text])
  }
  const values = Object.entries(table).map(([name, flag]) => {
    const given = texts.get(name)
    return [name, given ? readValue(`--${name}`, flag, given) : readVariable(name, flag, variables)]
  })
  return Object.fromEntries(values) as FlagValues<Table>
}

/** For commands that take more than flags: separates the flags, with their values, from the operands. `--` ends the flags. */
export function splitOperands(
  table: FlagTable,
  args: readonly string[],
): { readonly flags: readonly string[]; readonly operands: readonly string[] } {
  const end = args.indexOf('--')
  const flags: string[] = []
  const operands: string[] = []
  const before = end < 0 ? args : args.slice(0, end)
  for (let index = 0; index < before.length; index++) {
    const argument = before[index]!
    if (argument === '-' || !argument.startsWith('-')) operands.push(argument)
    else flags.push(...(takesNext(table, argument) ? before.slice(index, ++index + 1) : [argument]))
  }
  return { flags, operands: end < 0 ? operands : [...operands, ...args.slice(end + 1)] }
}

/** Whether the value of a flag is the next argument. */
function takesNext(table: FlagTable, argument: string): boolean {
  const given = argument.replace(/^--?/, '')
  const name = Object.hasOwn(table, given) ? given : longName(table, given)
  return name !== undefined && table[name]!.placeholder !== ''
}

/** The arguments, without some flags and their values. They must be arguments that `parseFlags` accepts. */
export function argumentsWithout(
  table: FlagTable,
  args: readonly string[],
  names: readonly string[],
): readonly string[] {
  const kept: string[] = []
  for (let index = 0; index < args.length; index++) {
    const { name, flag, value } = readArgument(table, args[index]!)
    const words = value === undefined && flag.placeholder !== '' ? args.slice(index, ++index + 1) : [args[index]!]
    if (!names.includes(name)) kept.push(...words)
  }
  return kept
}

function readArgument(table: FlagTable, argument: string) {
  const [, dashes, given = '', value] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(argument) ?? []
  if (dashes === undefined || given === '') throw new UsageError(`unexpected argument "${argument}"`)
  const name = Object.hasOwn(table, given) ? given : longName(table, given)
  if (name === undefined) throw new UsageError(unknownFlag(table, dashes + given))
  return { name, flag: table[name]!, value }
}

function longName(table: FlagTable, short: string): string | undefined {
  return Object.keys(table).find((name) => table[name]!.short === short)
}

function readVariable(name: string, flag: Flag<unknown>, variables: Variables): unknown {
  const { variable, refusesEmpty = false } = flag
  const text = variable === undefined ? undefined : variables[variable]
  const isGiven = text !== undefined && (refusesEmpty || text !== '')
  return isGiven ? readValue(variable!, flag, [text]) : readValue(`--${name}`, flag, [])
}

/** `name` is how it was given: `--port`, or `PROA_PORT`. */
function readValue(name: string, flag: Flag<unknown>, texts: readonly string[]): unknown {
  try {
    return flag.read(texts)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${name}=${texts.at(-1)} cannot be used: ${error.message}`)
  }
}

function unknownFlag(table: FlagTable, given: string): string {
  const wanted = given.replace(/^-+/, '')
  const [nearest] = Object.keys(table)
    .map((name) => ({ name, distance: editDistance(name, wanted) }))
    .sort((a, b) => a.distance - b.distance)
  const isNear = nearest && nearest.distance <= Math.max(2, wanted.length / 4)
  return `unknown flag ${given}; ${isNear ? `did you mean --${nearest.name}?` : '--help lists all flags'}`
}

/** The flags of a table, each with its help and default, for `--help`. */
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
