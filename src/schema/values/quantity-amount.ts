/** The range of 64-bit integers. */
export const largest = 2n ** 63n - 1n
export const smallest = -(2n ** 63n)
export const int64Digits = 19

/** `mantissa` · 10^`exponent`. */
export interface Amount {
  readonly mantissa: bigint
  readonly exponent: number
}

/** Returns `value` / 10^`places`, rounded away from zero. */
export function dividedUp(value: bigint, places: number): bigint {
  if (value === 0n) return 0n
  const unit = value < 0n ? -1n : 1n
  if (places >= digitsOf(value).length) return unit
  const divisor = 10n ** BigInt(places)
  return value % divisor === 0n ? value / divisor : value / divisor + unit
}

export function digitsOf(value: bigint): string {
  return (value < 0n ? -value : value).toString()
}

/** The position of the first digit: 10^(magnitude - 1) ≤ |value| < 10^magnitude. */
export function magnitude({ mantissa, exponent }: Amount): number {
  return mantissa === 0n ? 0 : digitsOf(mantissa).length + exponent
}

/**
 * Sums are exact to this many digits. Real amounts have far fewer, but `1e1000000000` is a valid quantity, and adding one to it must not
 * exhaust the memory.
 */
export const significantDigits = 1000

/** Both mantissas with a common exponent. If amounts differ by more than all significant digits, the smaller one counts as zero. */
export function aligned(left: Amount, right: Amount): readonly [bigint, bigint, number] {
  if (left.exponent === right.exponent) return [left.mantissa, right.mantissa, left.exponent]
  if (left.mantissa === 0n) return [0n, right.mantissa, right.exponent]
  if (right.mantissa === 0n) return [left.mantissa, 0n, left.exponent]
  const difference = left.exponent - right.exponent
  if (difference > significantDigits && magnitude(left) - magnitude(right) > significantDigits)
    return [left.mantissa, 0n, left.exponent]
  if (-difference > significantDigits && magnitude(right) - magnitude(left) > significantDigits)
    return [0n, right.mantissa, right.exponent]
  return difference > 0
    ? [left.mantissa * powerOfTen(difference), right.mantissa, right.exponent]
    : [left.mantissa, right.mantissa * powerOfTen(-difference), left.exponent]
}

/** A cache of the powers that occur in practice: those between suffixes. */
const powers = Array.from({ length: 31 }, (_, exponent) => 10n ** BigInt(exponent))

function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent)
}
