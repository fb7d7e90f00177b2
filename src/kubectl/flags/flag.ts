import { type DurationError, formatDuration, type Nanoseconds, parseDuration } from '../../base/duration.js'
import { quote } from '../../schema/quote.js'

/** One flag of a command: what it may be given, and what it is when nobody gives it. */
export interface Flag<V> {
  /** `n` of `-n`; '' for none. */
  readonly short: string
  readonly initial: V
  /** As help shows it. */
  readonly shownInitial: string
  /** What it is given when it stands without a value, as `--watch` or `--dry-run` do; undefined where it needs one. */
  readonly bare?: string
  /** One line for help. */
  readonly about: string
  readonly isHidden?: boolean
  /** What is said to whoever uses it still. */
  readonly deprecated?: string
  /** Takes a value in; `before` is what was given earlier on the same line. Throws what is wrong with the text. */
  read(text: string, before: V | undefined): V
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>

export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer V> ? V : never
}

interface Extras {
  readonly short?: string
  readonly bare?: string
  readonly isHidden?: boolean
  readonly deprecated?: string
}

export function text(about: string, { initial = '', ...extras }: Extras & { readonly initial?: string } = {}) {
  return flag<string>(about, extras, { initial, shownInitial: `'${initial}'`, read: (given) => given })
}

export function yesNo(about: string, { initial = false, ...extras }: Extras & { readonly initial?: boolean } = {}) {
  return flag<boolean>(about, { bare: 'true', ...extras }, { initial, shownInitial: String(initial), read: readYesNo })
}

export function integer(about: string, { initial = 0, ...extras }: Extras & { readonly initial?: number } = {}) {
  return flag<number>(about, extras, { initial, shownInitial: String(initial), read: readInteger })
}

/** `30s`, `5m` */
export function duration(about: string, { initial = 0n, ...extras }: Extras & { readonly initial?: Nanoseconds } = {}) {
  return flag<Nanoseconds>(about, extras, { initial, shownInitial: formatDuration(initial), read: readDuration })
}

/** May be given several times, and several at once with commas between them. */
export function list(about: string, extras: Extras = {}) {
  const read = (given: string, before: readonly string[] = []) => [...before, ...splitList(given)]
  return flag<readonly string[]>(about, extras, { initial: [], shownInitial: '[]', read })
}

/** May be given several times, a comma being a comma. */
export function many(about: string, extras: Extras = {}) {
  const read = (given: string, before: readonly string[] = []) => [...before, given]
  return flag<readonly string[]>(about, extras, { initial: [], shownInitial: '[]', read })
}

/** `key=value,key=value`; may be given several times. */
export function pairs(about: string, extras: Extras = {}) {
  const read = (given: string, before: Readonly<Record<string, string>> = {}) => ({ ...before, ...readPairs(given) })
  return flag<Readonly<Record<string, string>>>(about, extras, { initial: {}, shownInitial: '', read })
}

function flag<V>(about: string, extras: Extras, rest: Pick<Flag<V>, 'initial' | 'shownInitial' | 'read'>): Flag<V> {
  return { short: '', ...extras, about, ...rest }
}

const yes = ['1', 't', 'T', 'TRUE', 'true', 'True']
const no = ['0', 'f', 'F', 'FALSE', 'false', 'False']

function readYesNo(given: string): boolean {
  if (yes.includes(given)) return true
  if (no.includes(given)) return false
  throw new Error(`strconv.ParseBool: parsing ${quote(given)}: invalid syntax`)
}

function readInteger(given: string): number {
  if (!/^[-+]?\d+$/.test(given)) throw new Error(`strconv.ParseInt: parsing ${quote(given)}: invalid syntax`)
  const value = Number(given)
  if (!Number.isSafeInteger(value)) throw new Error(`strconv.ParseInt: parsing ${quote(given)}: value out of range`)
  return value
}

function readDuration(given: string): Nanoseconds {
  try {
    return parseDuration(given)
  } catch (error) {
    throw new Error((error as DurationError).message, { cause: error })
  }
}

/** A list is a line of CSV: an element with commas in it stands in quotes. */
function splitList(given: string): readonly string[] {
  if (given === '') return []
  if (!given.includes('"')) return given.split(',')
  return [...given.matchAll(/"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/g)]
    .filter(([whole]) => whole !== '')
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}

function readPairs(given: string): Readonly<Record<string, string>> {
  const parts = given.split(',').filter((part) => part !== '')
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=')
      if (at === -1) throw new Error('malformed pair, expect string=string')
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    }),
  )
}
