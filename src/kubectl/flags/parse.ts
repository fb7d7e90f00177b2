import { quote } from '../../schema/quote.js'
import type { Flag, FlagTable, FlagValues } from './flag.js'

/** The line is wrong, before anything was done. */
export class FlagError extends Error {
  override readonly name = 'FlagError'
}

/** Somebody asks how it is used. */
export class HelpWanted extends Error {
  override readonly name = 'HelpWanted'
}

export interface Parsed<Table extends FlagTable> {
  readonly flags: FlagValues<Table>
  /** What is no flag, in order. */
  readonly args: readonly string[]
  /** How many of these stood before `--`; undefined where there is none. */
  readonly dash: number | undefined
  /** Whether a flag was given at all, be it with its initial value. */
  isSet(name: keyof Table & string): boolean
  /** Deprecated flags that were given. */
  readonly deprecated: readonly string[]
}

/** Reads a line as every command of kubectl does: flags may stand anywhere before `--`, short ones may be joined. */
export function parseFlags<Table extends FlagTable>(table: Table, line: readonly string[]): Parsed<Table> {
  const reader = new LineReader(table)
  return reader.read(line) as Parsed<Table>
}

class LineReader {
  readonly #table: FlagTable
  readonly #given = new Map<string, unknown>()
  readonly #args: string[] = []
  #rest: string[] = []
  #dash: number | undefined

  constructor(table: FlagTable) {
    this.#table = table
  }

  read(line: readonly string[]): Parsed<FlagTable> {
    this.#rest = [...line]
    while (this.#rest.length > 0) this.#take(this.#rest.shift()!)
    const entries = Object.entries(this.#table)
    const flags = entries.map(([name, { initial }]) => [name, this.#given.has(name) ? this.#given.get(name) : initial])
    return {
      flags: Object.fromEntries(flags),
      args: this.#args,
      dash: this.#dash,
      isSet: (name) => this.#given.has(name),
      deprecated: [...this.#given.keys()].filter((name) => this.#table[name]?.deprecated !== undefined),
    }
  }

  #take(word: string): void {
    if (word === '--') {
      this.#dash = this.#args.length
      this.#args.push(...this.#rest)
      this.#rest = []
    } else if (word.startsWith('--')) this.#takeLong(word)
    else if (word.startsWith('-') && word !== '-') this.#takeShort(word.slice(1), word)
    else this.#args.push(word)
  }

  #takeLong(word: string): void {
    const [, name = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word)!
    if (name === '' || name.startsWith('-')) throw new FlagError(`bad flag syntax: ${word}`)
    const flag = this.#flag(name)
    if (!flag && name === 'help') throw new HelpWanted()
    if (!flag) throw new FlagError(`unknown flag: --${name}`)
    this.#set(name, flag, value ?? flag.bare ?? this.#next(`--${name}`))
  }

  /** `-it`, `-n=default`, `-ndefault` */
  #takeShort(letters: string, word: string): void {
    const [letter = '', ...others] = letters
    const rest = others.join('')
    const found = Object.entries(this.#table).find(([, { short }]) => short === letter)
    if (!found && letter === 'h') throw new HelpWanted()
    if (!found) throw new FlagError(`unknown shorthand flag: ${singleQuoted(letter)} in ${word}`)
    const [name, flag] = found
    const isBare = flag.bare !== undefined && !(rest.startsWith('=') && rest.length > 1)
    if (isBare) {
      this.#set(name, flag, flag.bare!)
      if (rest !== '') this.#takeShort(rest, word)
    } else this.#set(name, flag, rest.replace(/^=(?=.)/, '') || this.#next(`${singleQuoted(letter)} in ${word}`))
  }

  /** The word that follows is the value. */
  #next(flag: string): string {
    const next = this.#rest.shift()
    if (next === undefined) throw new FlagError(`flag needs an argument: ${flag}`)
    return next
  }

  #flag(name: string): Flag<unknown> | undefined {
    return Object.hasOwn(this.#table, name) ? this.#table[name] : undefined
  }

  #set(name: string, flag: Flag<unknown>, value: string): void {
    try {
      this.#given.set(name, flag.read(value, this.#given.get(name)))
    } catch (error) {
      const called = flag.short === '' ? `--${name}` : `-${flag.short}, --${name}`
      throw new FlagError(`invalid argument ${quote(value)} for ${quote(called)} flag: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
}

function singleQuoted(letter: string): string {
  return `'${letter}'`
}

/** Where in a line the first word stands that is neither a flag nor the value of one; -1 where there is none. */
export function firstArgument(table: FlagTable, line: readonly string[]): number {
  for (let index = 0; index < line.length; index++) {
    const word = line[index]!
    if (word === '--') return -1
    if (!word.startsWith('-') || word === '-') return index
    if (takesNext(table, word)) index++
  }
  return -1
}

/** A flag that nobody knows is thought to have a value. */
function takesNext(table: FlagTable, word: string): boolean {
  if (word.includes('=')) return false
  if (word.startsWith('--')) return table[word.slice(2)]?.bare === undefined
  if (word.length > 2) return false
  return Object.values(table).find(({ short }) => short === word[1])?.bare === undefined
}
