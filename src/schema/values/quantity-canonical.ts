import { type Amount, digitsOf, significantDigits } from './quantity-amount.js'
import { binarySuffix, decimalSuffix, largestBinaryPower, type QuantityFormat } from './quantity-text.js'

/** No fraction, no precision lost, the suffix as large as possible. */
export function canonicalText(quantity: Amount & { readonly format: QuantityFormat }): string {
  if (quantity.mantissa === 0n) return '0'
  const sign = quantity.mantissa < 0n ? '-' : ''
  const digits = digitsOf(quantity.mantissa)
  const stripped = withoutTrailingZeros(digits)
  const exponent = quantity.exponent + digits.length - stripped.length
  const binary = quantity.format === 'BinarySI' && exponent >= 0 ? binaryText(stripped, exponent) : undefined
  return sign + (binary ?? decimalText(stripped, exponent, quantity.format))
}

/** Not by an expression: those take a quadratic time on long runs of zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** Undefined for what is less than the smallest binary unit, or out of reach of the largest. */
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
  // Beyond the last suffix a decimal quantity is written with an exponent: leaving it out would change the value.
  const suffix = (format === 'DecimalExponent' ? undefined : decimalSuffix(scale)) ?? (scale === 0 ? '' : `e${scale}`)
  return digits + '0'.repeat(zeros) + suffix
}

/** How many digits a number of each binary unit may have and certainly stay below the largest amount; by its first letter. */
const binaryDigits: ReadonlyMap<number, number> = new Map(
  Object.entries({ K: 15, M: 12, G: 9, T: 6, P: 3 }).map(([letter, digits]) => [letter.charCodeAt(0), digits]),
)

const zero = 0x30
const nine = 0x39
const letterI = 0x69
const decimalLetters = new Set([...'numkMGTPE'].map((letter) => letter.charCodeAt(0)))

/**
 * Whether `text` is already in canonical form, told at a glance and without allocating: a whole number without leading zeros,
 * and a suffix. False is no verdict: the text may still be canonical, or no quantity at all.
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
