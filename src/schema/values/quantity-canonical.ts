import { type Amount, digitsOf, significantDigits } from './quantity-amount.js'
import { binarySuffix, decimalSuffix, largestBinaryPower, type QuantityFormat } from './quantity-text.js'

/** Formats without a fraction and without loss of precision, with the largest possible suffix. */
export function canonicalText(quantity: Amount & { readonly format: QuantityFormat }): string {
  if (quantity.mantissa === 0n) return '0'
  const sign = quantity.mantissa < 0n ? '-' : ''
  const digits = digitsOf(quantity.mantissa)
  const stripped = withoutTrailingZeros(digits)
  const exponent = quantity.exponent + digits.length - stripped.length
  const binary = quantity.format === 'BinarySI' && exponent >= 0 ? binaryText(stripped, exponent) : undefined
  return sign + (binary ?? decimalText(stripped, exponent, quantity.format))
}

/** Uses no regular expression, which would take quadratic time on long runs of zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** Undefined for amounts below the smallest binary unit or beyond the largest. */
function binaryText(digits: string, exponent: number): string | undefined {
  if (exponent > significantDigits) return undefined
  let value = BigInt(digits) * 10n ** BigInt(exponent)
  if (value < 1024n) return undefined
  let power = 0
  for (; power < largestBinaryPower && (value & 1023n) === 0n; power++) value >>= 10n
  return `${value}${binarySuffix(power)}`
}

function decimalText(digits: string, exponent: number, format: QuantityFormat): string {
  const zeros = ((exponent % 3) + 3) % 3
  const scale = exponent - zeros
  // Beyond the largest suffix a decimal quantity needs an exponent.
  const suffix = (format === 'DecimalExponent' ? undefined : decimalSuffix(scale)) ?? (scale === 0 ? '' : `e${scale}`)
  return digits + '0'.repeat(zeros) + suffix
}

/** By the first letter of a binary unit: the number of digits that certainly stays below the largest amount. */
const binaryDigits: ReadonlyMap<number, number> = new Map(
  Object.entries({ K: 15, M: 12, G: 9, T: 6, P: 3 }).map(([letter, digits]) => [letter.charCodeAt(0), digits]),
)

const zero = 0x30
const nine = 0x39
const letterI = 0x69
const decimalLetters = new Set([...'numkMGTPE'].map((letter) => letter.charCodeAt(0)))

/**
 * Fast check without allocation: true if `text` is in canonical form, namely an integer without leading zeros and a suffix. False decides
 * nothing: the text may be canonical or malformed.
 */
export function isPlainlyCanonical(text: string): boolean {
  const { length } = text
  let value = 0
  let position = 0
  for (; position < length; position++) {
    const code = text.charCodeAt(position)
    if (code < zero || code > nine) break
    value = value * 10 + (code - zero)
  }
  if (position === 0 || position > 15 || text.charCodeAt(0) === zero) return text === '0'
  if (position === length) return value % 1000 !== 0
  const suffix = text.charCodeAt(position)
  if (position + 1 === length) return value % 1000 !== 0 && decimalLetters.has(suffix)
  if (position + 2 !== length || text.charCodeAt(position + 1) !== letterI) return false
  return position <= (binaryDigits.get(suffix) ?? 0) && value % 1024 !== 0
}
