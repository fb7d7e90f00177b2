import { quoteBytes } from './quote.js'
import { ValueError } from './value-error.js'

const secondsPer = { minute: 60, hour: 3600, day: 86_400, year: 365 * 86_400 } as const

/**
 * How `kubectl get` shows an age, in two or three significant figures: `119s`, `5m30s`, `3h12m`, `2d3h`, `5y12d`. Times less
 * than two seconds in the future are now, because clocks differ; later ones are `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 2 * secondsPer.minute) return `${Math.max(seconds, 0)}s`
  if (seconds < 10 * secondsPer.minute) return parts(seconds, ['m', secondsPer.minute], ['s', 1])
  if (seconds < 3 * secondsPer.hour) return parts(seconds, ['m', secondsPer.minute])
  if (seconds < 8 * secondsPer.hour) return parts(seconds, ['h', secondsPer.hour], ['m', secondsPer.minute])
  if (seconds < 2 * secondsPer.day) return parts(seconds, ['h', secondsPer.hour])
  if (seconds < 8 * secondsPer.day) return parts(seconds, ['d', secondsPer.day], ['h', secondsPer.hour])
  if (seconds < 2 * secondsPer.year) return parts(seconds, ['d', secondsPer.day])
  if (seconds < 8 * secondsPer.year) return parts(seconds, ['y', secondsPer.year], ['d', secondsPer.day])
  return parts(seconds, ['y', secondsPer.year])
}

/** In one unit only: `59s`, `3h`, `2d`. */
export function shortHumanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < secondsPer.minute) return `${Math.max(seconds, 0)}s`
  if (seconds < secondsPer.hour) return parts(seconds, ['m', secondsPer.minute])
  if (seconds < secondsPer.day) return parts(seconds, ['h', secondsPer.hour])
  return seconds < secondsPer.year ? parts(seconds, ['d', secondsPer.day]) : parts(seconds, ['y', secondsPer.year])
}

type Unit = readonly [letter: string, seconds: number]

/** A second part of zero is left out. */
function parts(seconds: number, [letter, unit]: Unit, rest?: Unit): string {
  const remaining = rest ? Math.floor((seconds % unit) / rest[1]) : 0
  return `${Math.floor(seconds / unit)}${letter}${rest && remaining > 0 ? remaining + rest[0] : ''}`
}

const nanoseconds: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3], // the micro sign
  ['μs', 1e3], // the Greek letter
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
])

/** Milliseconds, of a duration such as `1h30m` or `-1.5s`. Throws a `ValueError` when `text` is none. */
export function parseDuration(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return 0
  let total = 0
  for (let rest = unsigned; rest !== '' || unsigned === ''; ) {
    const [piece = invalid(text), number, unit] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest) ?? []
    total += Number(number) * factor(unit ?? '', text)
    rest = rest.slice(piece.length)
  }
  return total < 2 ** 63 ? (sign * total) / 1e6 : invalid(text)
}

function factor(unit: string, text: string): number {
  if (unit === '') throw new ValueError(`time: missing unit in duration ${quoteBytes(text)}`)
  const value = nanoseconds.get(unit)
  if (value === undefined)
    throw new ValueError(`time: unknown unit ${quoteBytes(unit)} in duration ${quoteBytes(text)}`)
  return value
}

function invalid(text: string): never {
  throw new ValueError(`time: invalid duration ${quoteBytes(text)}`)
}

/** As durations are kept and sent: `1h30m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(duration: number): string {
  const length = Math.abs(duration)
  const sign = duration < 0 ? '-' : ''
  if (length === 0) return '0s'
  if (length < 1e-3) return `${sign}${decimal(length * 1e6)}ns`
  if (length < 1) return `${sign}${decimal(length * 1e3)}µs`
  if (length < 1000) return `${sign}${decimal(length)}ms`
  const hours = Math.floor(length / 3_600_000)
  const minutes = Math.floor((length % 3_600_000) / 60_000)
  const seconds = `${decimal((length % 60_000) / 1000)}s`
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : sign + seconds
}

/** Whole nanoseconds, without trailing zeros. */
function decimal(value: number): string {
  return String(Number(value.toFixed(9)))
}
