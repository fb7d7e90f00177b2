/**
 * Durations as text: `1h2m3.5s`, `300ms`, `-1.5h`, `0s`.
 *
 * In memory a duration is a `bigint` of nanoseconds, in 64 bits with sign: about 292 years. A `number` would be exact only up to 104 days.
 * Clocks use milliseconds as a `number`; `toMilliseconds` and `fromMilliseconds` convert.
 */
export type Nanoseconds = bigint

const microsecond = 1_000n
const millisecond = 1_000_000n
const second = 1_000_000_000n
const minute = 60n * second
const hour = 60n * minute

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', microsecond],
  ['\u00b5s', microsecond], // the micro sign
  ['\u03bcs', microsecond], // the Greek letter mu
  ['ms', millisecond],
  ['s', second],
  ['m', minute],
  ['h', hour],
])

/** One more than the maximum; the minimum is its negative. */
const limit = 2n ** 63n

/** A text that is not a duration. The message is Go's, because clients show and compare it. */
export class DurationError extends Error {
  override get name(): string {
    return 'DurationError'
  }
}

/** One number with its unit. Either side of the point may be empty; a unit is everything up to the next number. */
const part = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y

/** Parses a sum of numbers with units, each with an optional fraction, after an optional sign. `0` needs no unit. */
export function parseDuration(text: string): Nanoseconds {
  const start = text.startsWith('-') || text.startsWith('+') ? 1 : 0
  if (text.slice(start) === '0') return 0n
  if (start === text.length) throw invalid(text)
  let sum = 0n
  part.lastIndex = start
  while (part.lastIndex < text.length) {
    const [, whole = '', fraction = '', unit = ''] = part.exec(text)!
    if ((whole === '' && fraction === '') || BigInt(whole) > limit) throw invalid(text)
    const unitLength = lengthOf(unit, text)
    sum += BigInt(whole) * unitLength + lengthOfFraction(fraction, unitLength)
    if (sum > limit) throw invalid(text)
  }
  if (text.startsWith('-')) return -sum
  if (sum === limit) throw invalid(text)
  return sum
}

function lengthOf(unit: string, text: string): bigint {
  if (unit === '') throw new DurationError(`time: missing unit in duration ${quote(text)}`)
  const length = units.get(unit)
  if (length === undefined) throw new DurationError(`time: unknown unit ${quote(unit)} in duration ${quote(text)}`)
  return length
}

/**
 * Truncates below the nanosecond. Uses floating point because Go does, so that both give the same result: from the fourteenth digit of a
 * minute or hour on, the last nanosecond can differ from the exact result.
 */
function lengthOfFraction(digits: string, unitLength: bigint): bigint {
  const counted = digits.slice(0, countedDigits(digits))
  return BigInt(Math.trunc(Number(BigInt(counted)) * (Number(unitLength) / 10 ** counted.length)))
}

/** The number of digits that fit into 63 bits; later ones are too small to matter. */
function countedDigits(digits: string): number {
  const significant = digits.search(/[1-9]/)
  if (significant === -1) return 0
  const fits = BigInt(digits.slice(0, significant + 19)) <= limit
  return Math.min(digits.length, significant + (fits ? 19 : 18))
}

function invalid(text: string): DurationError {
  return new DurationError(`time: invalid duration ${quote(text)}`)
}

/** Returns the text in double quotes, with every byte of UTF-8 outside of printable ASCII as `\xNN`. */
function quote(text: string): string {
  const escaped = (character: string) => {
    if (character === '"' || character === '\\') return `\\${character}`
    return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  }
  return `"${text.replace(/["\\]|[^ -\x7f]/gu, escaped)}"`
}

/**
 * Returns the shortest exact text, with the largest unit that is not zero first: `1h0m0s`, `1m0.5s`, `1.5ms`, `0s`. Below a second there is
 * one unit, the largest with a digit before the point.
 */
export function formatDuration(duration: Nanoseconds): string {
  if (duration < -limit || duration >= limit) throw new RangeError(`${duration} nanoseconds do not fit into 64 bits`)
  if (duration < 0n) return `-${formatMagnitude(-duration)}`
  return formatMagnitude(duration)
}

function formatMagnitude(duration: bigint): string {
  if (duration === 0n) return '0s'
  if (duration < microsecond) return `${duration}ns`
  if (duration < millisecond) return `${decimal(duration, microsecond)}µs`
  if (duration < second) return `${decimal(duration, millisecond)}ms`
  const seconds = `${decimal(duration % minute, second)}s`
  if (duration < minute) return seconds
  const minutes = `${(duration % hour) / minute}m${seconds}`
  return duration < hour ? minutes : `${duration / hour}h${minutes}`
}

/** Formats `duration` in `unit`, with as many decimals as necessary. */
function decimal(duration: bigint, unit: bigint): string {
  const decimals = (duration % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '')
  const whole = duration / unit
  return decimals === '' ? whole.toString() : `${whole}.${decimals}`
}

/** Exact to the nanosecond within 99 days; beyond that, the nearest `number`. */
export function toMilliseconds(duration: Nanoseconds): number {
  return Number(duration) / 1e6
}

/** Rounds to the nanosecond. */
export function fromMilliseconds(milliseconds: number): Nanoseconds {
  const whole = Math.trunc(milliseconds)
  return BigInt(whole) * millisecond + BigInt(Math.round((milliseconds - whole) * 1e6))
}
