import { DurationError, formatDuration, fromMilliseconds, parseDuration, toMilliseconds } from '../duration.js'
import { type Flag, UsageError } from './flags.js'

/** The kinds of flags. Where a flag is given several times, the last one counts, except in lists, which grow. */

export function text(help: string, placeholder: string, standard: string): Flag<string> {
  return { help, placeholder, defaultText: standard, read: (texts) => texts.at(-1) ?? standard }
}

/** Undefined if it is not given, or given as nothing. */
export function optionalText(help: string, placeholder: string): Flag<string | undefined> {
  return { help, placeholder, defaultText: '', read: (texts) => texts.at(-1) || undefined }
}

/** Separated by commas, given several times, or both. */
export function list(help: string, placeholder: string, standard: readonly string[] = []): Flag<readonly string[]> {
  const read = (texts: readonly string[]) => {
    const items = texts.flatMap((text) => text.split(',')).map((item) => item.trim())
    return texts.length === 0 ? standard : items.filter((item) => item !== '')
  }
  return { help, placeholder, defaultText: standard.join(','), read }
}

/** Given any number of times; commas are part of the text. */
export function repeated(help: string, placeholder: string): Flag<readonly string[]> {
  return { help, placeholder, defaultText: '', read: (texts) => texts }
}

const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, t: true, T: true, TRUE: true, True: true, '1': true },
  ...{ false: false, f: false, F: false, FALSE: false, False: false, '0': false },
}

function truthOf(given: string): boolean {
  const truth = Object.hasOwn(truths, given) ? truths[given] : undefined
  if (truth === undefined) throw new UsageError('it must be true or false')
  return truth
}

/** One of these words. */
export function choice<Word extends string>(help: string, words: readonly Word[], standard: Word): Flag<Word> {
  const read = (texts: readonly string[]) => {
    const given = texts.at(-1) ?? standard
    const word = words.find((each) => each === given)
    if (word === undefined) throw new UsageError(`it must be one of ${words.join(', ')}`)
    return word
  }
  return { help, placeholder: words.join('|'), defaultText: standard, read }
}

export function truth(help: string, standard: boolean): Flag<boolean> {
  const read = (texts: readonly string[]) => (texts.length === 0 ? standard : truthOf(texts.at(-1)!))
  return { help, placeholder: '', defaultText: standard ? 'true' : '', read }
}

interface IntegerOptions {
  readonly standard: number
  readonly least?: number
  readonly most?: number
  readonly short?: string
}

export function integer(help: string, placeholder: string, options: IntegerOptions): Flag<number> {
  const { standard, least = 0, most = Number.MAX_SAFE_INTEGER, short } = options
  const read = (texts: readonly string[]) => {
    const given = texts.at(-1)
    if (given === undefined) return standard
    const isWhole = /^[+-]?\d+$/.test(given)
    if (!isWhole || Number(given) < least || Number(given) > most)
      throw new UsageError(
        `it must be a whole number from ${least} ${most === Number.MAX_SAFE_INTEGER ? 'up' : `to ${most}`}`,
      )
    return Number(given)
  }
  return { help, placeholder, defaultText: String(standard), read, ...(short !== undefined && { short }) }
}

/** Zero, or more than that. */
export function decimal(help: string, placeholder: string, standard: number): Flag<number> {
  const read = (texts: readonly string[]) => {
    const given = texts.at(-1)
    if (given === undefined) return standard
    if (!/^\+?(\d+\.?\d*|\.\d+)$/.test(given)) throw new UsageError('it must be a number such as 0.1')
    return Number(given)
  }
  return { help, placeholder, defaultText: String(standard), read }
}

/** In milliseconds; given as `1h30m`. */
export function duration(help: string, standard: number): Flag<number> {
  const read = (texts: readonly string[]) => (texts.length === 0 ? standard : durationOf(texts.at(-1)!))
  return { help, placeholder: 'DURATION', defaultText: formatDuration(fromMilliseconds(standard)), read }
}

function durationOf(given: string): number {
  try {
    const milliseconds = toMilliseconds(parseDuration(given))
    if (milliseconds < 0) throw new UsageError('it must not be negative')
    return milliseconds
  } catch (error) {
    if (error instanceof DurationError) throw new UsageError('it must be a length of time, such as 1h30m or 90s')
    throw error
  }
}

/** `First=true,Second=false`. */
export function truthTable(help: string): Flag<Readonly<Record<string, boolean>>> {
  const read = (texts: readonly string[]) => {
    const pairs = texts.flatMap((text) => text.split(',')).filter((pair) => pair.trim() !== '')
    return Object.fromEntries(pairs.map(readPair))
  }
  return { help, placeholder: 'NAME=true|false,…', defaultText: '', read }
}

function readPair(pair: string): [string, boolean] {
  const [name = '', value] = pair.trim().split('=')
  if (name === '' || value === undefined) throw new UsageError('each part must be NAME=true or NAME=false')
  return [name, truthOf(value)]
}
