import { ValueError } from '../value-error.js'
import { type Amount, aligned, dividedUp, int64Digits, largest, magnitude, smallest } from './quantity-amount.js'
import { canonicalText, isPlainlyCanonical } from './quantity-canonical.js'
import { isSmall, keepsItsText, type QuantityFormat, type QuantityText, readQuantity } from './quantity-text.js'

/**
 * Returns the canonical form of a quantity from a client: of a string, or of the text of a JSON number. Throws `ValueError` if it is
 * malformed. A hot path: called for each quantity of each decoded object.
 */
export function canonicalQuantity(text: string): string {
  return isPlainlyCanonical(text) ? text : Quantity.parse(trimmed(text)).toString()
}

/** Removes the white space that JSON strings can contain unescaped. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace.test(text[start]!)) start++
  while (start < end && isSpace.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

const isSpace = /[\p{Z}\x85]/u

/** A bounded cache, because the same few texts occur in most objects. */
const recent = new Map<string, Quantity>()
const mostRecent = 1000
const longestRecent = 32

const nearExponents = 30

/**
 * An exact amount of any size, down to a billionth. Its value is `mantissa` · 10^`exponent`. Immutable: arithmetic returns new quantities
 * with the format of the first operand.
 */
export class Quantity {
  readonly mantissa: bigint
  readonly exponent: number
  readonly format: QuantityFormat
  /** The parsed text if it is kept, or the cached formatted text. */
  #text: string | undefined

  private constructor(mantissa: bigint, exponent: number, format: QuantityFormat, text?: string) {
    this.mantissa = mantissa
    this.exponent = mantissa === 0n ? 0 : exponent
    this.format = format
    this.#text = text
  }

  static readonly zero = new Quantity(0n, 0, 'DecimalSI')

  /** Throws `ValueError` if `text` is malformed. Rounds fractions finer than a billionth away from zero. */
  static parse(text: string): Quantity {
    const known = recent.get(text)
    if (known) return known
    const parsed = Quantity.#parse(text)
    if (recent.size >= mostRecent) recent.clear()
    if (text.length <= longestRecent) recent.set(text, parsed)
    return parsed
  }

  static #parse(text: string): Quantity {
    const read = readQuantity(text)
    if (!read.hasDigits && !isSmall(read)) throw new ValueError('unable to parse numeric part of quantity')
    const { mantissa, exponent } = capped(read, roundedToNano(amountOf(read)))
    const signed = read.negative ? -mantissa : mantissa
    return new Quantity(signed, exponent, formatOf(read, mantissa, exponent), keepsItsText(read) ? text : undefined)
  }

  static of(value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity(BigInt(value), 0, format)
  }

  /** A quantity of `value` thousandths. */
  static milli(value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity(BigInt(value), -3, format)
  }

  add(other: Quantity): Quantity {
    const [left, right, exponent] = aligned(this, other)
    return new Quantity(left + right, exponent, this.#formatWith(other))
  }

  subtract(other: Quantity): Quantity {
    const [left, right, exponent] = aligned(this, other)
    return new Quantity(left - right, exponent, this.#formatWith(other))
  }

  multiply(factor: number | bigint): Quantity {
    return new Quantity(this.mantissa * BigInt(factor), this.exponent, this.format)
  }

  negate(): Quantity {
    return new Quantity(-this.mantissa, this.exponent, this.format)
  }

  /** Negative, zero or positive, as for `Array.sort`. */
  compare(other: Quantity): -1 | 0 | 1 {
    if (this.exponent === other.exponent) return order(this.mantissa, other.mantissa)
    const sign = this.sign()
    if (sign !== other.sign()) return sign < other.sign() ? -1 : 1
    // Aligning exponents is expensive only if they are far apart.
    if (Math.abs(this.exponent - other.exponent) > nearExponents) {
      const magnitudes = Math.sign(magnitude(this) - magnitude(other)) as -1 | 0 | 1
      if (magnitudes !== 0) return (magnitudes * sign) as -1 | 1
    }
    const [left, right] = aligned(this, other)
    return order(left, right)
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0
  }

  sign(): -1 | 0 | 1 {
    return this.mantissa === 0n ? 0 : this.mantissa < 0n ? -1 : 1
  }

  isZero(): boolean {
    return this.mantissa === 0n
  }

  /** In units of 10^`scale`, rounded away from zero and limited to the range of 64 bits. */
  scaledValue(scale: number): bigint {
    const shift = this.exponent - scale
    const outOfReach = this.mantissa < 0n ? smallest : largest
    if (magnitude(this) - scale > int64Digits) return outOfReach
    const value = shift < 0 ? dividedUp(this.mantissa, -shift) : this.mantissa * 10n ** BigInt(shift)
    return BigInt.asIntN(64, value) === value ? value : outOfReach
  }

  /** Rounded up to a whole number. Exact up to 2^53, the nearest double beyond. */
  value(): number {
    return Number(this.scaledValue(0))
  }

  /** In thousandths, rounded up: the usual measure of CPU. Exact up to 2^53, the nearest double beyond. */
  milliValue(): number {
    return Number(this.scaledValue(-3))
  }

  /** The value, if it is a whole number of 64 bits. */
  asInteger(): bigint | undefined {
    const value = this.scaledValue(0)
    return this.equals(Quantity.of(value)) ? value : undefined
  }

  /** The nearest double; infinite beyond its range. */
  toNumber(): number {
    return Number(`${this.mantissa}e${this.exponent}`)
  }

  toString(): string {
    this.#text ??= canonicalText(this)
    return this.#text
  }

  toJSON(): string {
    return this.toString()
  }

  /** The format of a sum: zero does not count. */
  #formatWith(other: Quantity): QuantityFormat {
    return this.isZero() ? other.format : this.format
  }
}

function order(left: bigint, right: bigint): -1 | 0 | 1 {
  return left === right ? 0 : left < right ? -1 : 1
}

function amountOf({ digits, places, base, exponent }: QuantityText): Amount {
  if (base === 10) return { mantissa: BigInt(digits), exponent: exponent - places }
  return { mantissa: BigInt(digits) << BigInt(exponent), exponent: -places }
}

function roundedToNano({ mantissa, exponent }: Amount): Amount {
  return exponent >= -9 ? { mantissa, exponent } : { mantissa: dividedUp(mantissa, -9 - exponent), exponent: -9 }
}

/** Only binary amounts have a largest value. */
function capped({ base }: QuantityText, amount: Amount): Amount {
  if (base === 10 || amount.mantissa <= largest * 10n ** BigInt(-amount.exponent)) return amount
  return { mantissa: largest, exponent: 0 }
}

/** Amounts below the smallest binary unit become decimal. */
function formatOf({ base, format }: QuantityText, mantissa: bigint, exponent: number): QuantityFormat {
  const isFraction = base === 2 && mantissa > 0n && mantissa < 10n ** BigInt(-exponent)
  return isFraction ? 'DecimalSI' : format
}
