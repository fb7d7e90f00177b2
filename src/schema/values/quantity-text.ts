import { ValueError } from '../value-error.js'

/**
 * The format of a quantity: `500m`, `512Mi` or `5e8`. It is kept when the quantity is formatted again. Sums have the format of their first
 * operand that is not zero.
 */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** The parts of a quantity's text. Its value is `digits` · 10^-`places` · `base`^`exponent`. */
export interface QuantityText {
  readonly negative: boolean
  /** Integer and fraction together, without leading zeros of the integer: `010` for `0.10`. */
  readonly digits: string
  /** The number of digits in the fraction. */
  readonly places: number
  readonly base: 2 | 10
  readonly exponent: number
  readonly format: QuantityFormat
  /** Whether the text has any digit. `Ki`, `+` and `.` have none. */
  readonly hasDigits: boolean
}

interface Suffix {
  readonly base: 2 | 10
  readonly exponent: number
  readonly format: QuantityFormat
}

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const

const suffixes: ReadonlyMap<string, Suffix> = new Map<string, Suffix>([
  ...binarySuffixes.map((suffix, i): [string, Suffix] => [suffix, { base: 2, exponent: 10 * i, format: 'BinarySI' }]),
  ...decimalSuffixes.map((suffix, i): [string, Suffix] => [
    suffix,
    { base: 10, exponent: 3 * i - 9, format: 'DecimalSI' },
  ]),
])

/** The suffix for 10^`exponent`; undefined from 10^21 on. */
export function decimalSuffix(exponent: number): string | undefined {
  return decimalSuffixes[exponent / 3 + 3]
}

/** The suffix for 1024^`power`. */
export function binarySuffix(power: number): string | undefined {
  return binarySuffixes[power]
}

export const largestBinaryPower = binarySuffixes.length - 1

const format = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'

/**
 * Splits a quantity into its parts. Throws `ValueError` for the part that is wrong. Reads each character once: a single regular expression
 * would take quadratic time on hostile text.
 */
export function readQuantity(text: string): QuantityText {
  const start = signAt(text, 0)
  const point = end(text, start, '0123456789')
  const fraction = text[point] === '.' ? point + 1 : point
  const suffix = end(text, fraction, fraction > point ? '0123456789' : '')
  const exponent = signAt(text, end(text, suffix, 'eEinumkKMGTP'))
  if (text === '' || end(text, exponent, '0123456789') < text.length)
    throw new ValueError(`quantities must match the regular expression '${format}'`)
  const whole = text.slice(end(text, start, '0', point), point)
  return {
    negative: text[0] === '-',
    digits: (whole || '0') + text.slice(fraction, suffix),
    places: suffix - fraction,
    hasDigits: point > start || suffix > fraction,
    ...interpretSuffix(text.slice(suffix)),
  }
}

/** The end of the run of characters of `set` that starts at `start`. */
function end(text: string, start: number, set: string, limit = text.length): number {
  let position = start
  while (position < limit && set.includes(text[position]!)) position++
  return position
}

function signAt(text: string, position: number): number {
  return text[position] === '+' || text[position] === '-' ? position + 1 : position
}

function interpretSuffix(suffix: string): Suffix {
  return suffixes.get(suffix) ?? interpretExponent(suffix)
}

const exponentSuffix = /^[eE]([+-]?\d+)$/
const int64 = 2n ** 63n

/** `e3` or `E+3`. Exponents beyond 32 bits wrap around, as upstream does. */
function interpretExponent(suffix: string): Suffix {
  const digits = exponentSuffix.exec(suffix)?.[1]
  const exponent = digits === undefined ? int64 : BigInt(digits.replace('+', ''))
  if (exponent >= int64 || exponent < -int64) throw new ValueError("unable to parse quantity's suffix")
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' }
}

/** Any number of this many decimal digits fits into 64 bits. */
const safeDigits = 18

/**
 * Whether a quantity keeps its text exactly. Upstream keeps text that passes a superficial check for canonical form, which accepts leading
 * zeros, plus signs and fractions of three digits (`010`, `+5Mi`, `1.500`).
 */
export function keepsItsText(text: QuantityText): boolean {
  if (!isSmall(text)) return false
  if (text.base === 2) return Number(text.digits.slice(-3)) % 8 !== 0
  return (text.exponent - text.places) % 3 === 0 && text.digits[0] !== '0' && !text.digits.endsWith('000')
}

/** Whether the number is so small for its unit that a text without digits counts as zero. */
export function isSmall({ base, digits, exponent, places }: QuantityText): boolean {
  if (base === 10) return digits.length <= safeDigits && exponent - places >= -9
  return places === 0 && digits.length <= 14 - (3 * exponent) / 10
}
