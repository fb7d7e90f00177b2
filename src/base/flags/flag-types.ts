import { DurationError, formatDuration, fromMilliseconds, parseDuration, toMilliseconds } from '../duration.js'
import { type Flag, UsageError } from './flags.js'

/**
 * The types of flags. If a flag is given several times, the last value counts; lists and maps grow. The text of a default is that which
 * `describeFlags` shows: a default of nothing has none.
 */

/** What every flag may have. Most flags of components have a placeholder; those of kubectl have none, because its help shows none. */
interface FlagOptions<Value> {
  readonly initial?: Value
  readonly placeholder?: string
  readonly short?: string
  readonly bare?: string
  readonly variable?: string
  readonly isHidden?: boolean
  readonly deprecated?: string
}

/**
 * A flag got a text that it cannot read. The message is for users of components. `parser` names the function of Go's `strconv` that
 * rejects the same text, because kubectl reports its words.
 */
export class FlagValueError extends UsageError {
  readonly parser: 'ParseBool' | 'ParseInt' | 'ParseDuration'
  readonly problem: 'invalid syntax' | 'value out of range'

  constructor(
    message: string,
    parser: FlagValueError['parser'],
    problem: FlagValueError['problem'] = 'invalid syntax',
  ) {
    super(message)
    this.parser = parser
    this.problem = problem
  }
}

export function text(help: string, { initial = '', ...options }: FlagOptions<string> = {}): Flag<string> {
  return flag(help, options, { defaultText: initial, read: (texts) => texts.at(-1) ?? initial })
}

/** Undefined if it is not given, or given as an empty text. */
export function optionalText(help: string, options: FlagOptions<never> = {}): Flag<string | undefined> {
  return flag(help, options, { defaultText: '', read: (texts) => texts.at(-1) || undefined })
}

/** One of the words. */
export function choice<Word extends string>(
  help: string,
  words: readonly Word[],
  { initial, ...options }: FlagOptions<Word> & { readonly initial: Word },
): Flag<Word> {
  const read = (texts: readonly string[]) => {
    const given = texts.at(-1) ?? initial
    const word = words.find((each) => each === given)
    if (word === undefined) throw new UsageError(`it must be one of ${words.join(', ')}`)
    return word
  }
  return flag(help, { placeholder: words.join('|'), ...options }, { defaultText: initial, read })
}

/** Needs no value: `--watch` is `--watch=true`. */
export function boolean(help: string, { initial = false, ...options }: FlagOptions<boolean> = {}): Flag<boolean> {
  const read = (texts: readonly string[]) => (texts.length === 0 ? initial : readBoolean(texts.at(-1)!))
  return flag(help, { bare: 'true', ...options }, { defaultText: initial ? 'true' : '', read })
}

const booleans: Readonly<Record<string, boolean>> = {
  ...{ true: true, t: true, T: true, TRUE: true, True: true, '1': true },
  ...{ false: false, f: false, F: false, FALSE: false, False: false, '0': false },
}

function readBoolean(given: string): boolean {
  const value = Object.hasOwn(booleans, given) ? booleans[given] : undefined
  if (value === undefined) throw new FlagValueError('it must be true or false', 'ParseBool')
  return value
}

interface IntegerOptions extends FlagOptions<number> {
  readonly least?: number
  readonly most?: number
}

export function integer(help: string, options: IntegerOptions = {}): Flag<number> {
  const { initial = 0, least = 0, most = Number.MAX_SAFE_INTEGER, ...rest } = options
  const read = (texts: readonly string[]) => (texts.length === 0 ? initial : readInteger(texts.at(-1)!, least, most))
  return flag(help, rest, { defaultText: String(initial), read })
}

function readInteger(given: string, least: number, most: number): number {
  const expected = `it must be a whole number from ${least} ${most === Number.MAX_SAFE_INTEGER ? 'up' : `to ${most}`}`
  if (!/^[+-]?\d+$/.test(given)) throw new FlagValueError(expected, 'ParseInt')
  const value = Number(given)
  if (value < least || value > most) throw new FlagValueError(expected, 'ParseInt', 'value out of range')
  return value
}

/** A whole number of either sign. */
export function signedInteger(help: string, options: FlagOptions<number> = {}): Flag<number> {
  return integer(help, { least: Number.MIN_SAFE_INTEGER, ...options })
}

/** Zero or a positive number, with or without decimals. */
export function decimal(help: string, { initial = 0, ...options }: FlagOptions<number> = {}): Flag<number> {
  const read = (texts: readonly string[]) => {
    const given = texts.at(-1)
    if (given === undefined) return initial
    if (!/^\+?(\d+\.?\d*|\.\d+)$/.test(given)) throw new UsageError('it must be a number such as 0.1')
    return Number(given)
  }
  return flag(help, options, { defaultText: String(initial), read })
}

interface DurationOptions extends FlagOptions<number> {
  readonly allowsNegative?: boolean
}

/** In milliseconds; given as `1h30m`. */
export function duration(help: string, options: DurationOptions = {}): Flag<number> {
  const { initial = 0, allowsNegative = false, ...rest } = options
  const read = (texts: readonly string[]) => {
    const milliseconds = texts.length === 0 ? initial : readDuration(texts.at(-1)!)
    if (milliseconds < 0 && !allowsNegative) throw new UsageError('it must not be negative')
    return milliseconds
  }
  return flag(
    help,
    { placeholder: 'DURATION', ...rest },
    { defaultText: formatDuration(fromMilliseconds(initial)), read },
  )
}

/** A duration that may be negative. */
export function signedDuration(help: string, options: FlagOptions<number> = {}): Flag<number> {
  return duration(help, { allowsNegative: true, ...options })
}

function readDuration(given: string): number {
  try {
    return toMilliseconds(parseDuration(given))
  } catch (error) {
    if (!(error instanceof DurationError)) throw error
    const expected = new FlagValueError('it must be a length of time, such as 1h30m or 90s', 'ParseDuration')
    expected.cause = error
    throw expected
  }
}

/** Items that commas separate. Spaces around items and empty items do not count. */
export function listFlag(
  help: string,
  { initial = [], ...options }: FlagOptions<readonly string[]> = {},
): Flag<readonly string[]> {
  const read = (texts: readonly string[]) => {
    const items = texts.flatMap((each) => each.split(',')).map((item) => item.trim())
    return texts.length === 0 ? initial : items.filter((item) => item !== '')
  }
  return flag(help, options, { defaultText: initial.join(','), read })
}

/** Items in a line of CSV: an item with a comma is quoted. */
export function csvList(help: string, options: FlagOptions<never> = {}): Flag<readonly string[]> {
  return flag(help, options, { defaultText: '', read: (texts) => texts.flatMap(splitCsv) })
}

function splitCsv(given: string): readonly string[] {
  if (given === '') return []
  if (!given.includes('"')) return given.split(',')
  return [...given.matchAll(/"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/g)]
    .filter(([whole]) => whole !== '')
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}

/** One item each time that the flag is given; commas are part of the item. */
export function repeated(help: string, options: FlagOptions<never> = {}): Flag<readonly string[]> {
  return flag(help, options, { defaultText: '', read: (texts) => texts })
}

/** `key=value,key=value` */
export function stringMap(help: string, options: FlagOptions<never> = {}): Flag<Readonly<Record<string, string>>> {
  const read = (texts: readonly string[]) =>
    Object.fromEntries(texts.flatMap((given) => given.split(',')).flatMap(readPair))
  return flag(help, options, { defaultText: '', read })
}

function readPair(part: string): readonly (readonly [string, string])[] {
  if (part === '') return []
  const at = part.indexOf('=')
  if (at === -1) throw new UsageError('malformed pair, expect string=string')
  return [[part.slice(0, at).trim(), part.slice(at + 1).trim()]]
}

/** `First=true,Second=false` */
export function booleanMap(help: string, options: FlagOptions<never> = {}): Flag<Readonly<Record<string, boolean>>> {
  const read = (texts: readonly string[]) => {
    const pairs = texts.flatMap((each) => each.split(',')).filter((pair) => pair.trim() !== '')
    return Object.fromEntries(pairs.map(readBooleanPair))
  }
  return flag(help, { placeholder: 'NAME=true|false,…', ...options }, { defaultText: '', read })
}

function readBooleanPair(pair: string): [string, boolean] {
  const [name = '', value] = pair.trim().split('=')
  if (name === '' || value === undefined) throw new UsageError('each part must be NAME=true or NAME=false')
  return [name, readBoolean(value)]
}

function flag<Value>(
  help: string,
  options: Omit<FlagOptions<never>, 'initial'>,
  rest: Pick<Flag<Value>, 'defaultText' | 'read'>,
): Flag<Value> {
  return { placeholder: '', ...options, help, ...rest }
}
