import { Quantity } from '../../schema/values/quantity.js'

/** Quantities by resource. */
export type QuotaQuantities = ReadonlyMap<string, Quantity>

export function readAmounts(given: Readonly<Record<string, string>> | undefined): QuotaQuantities {
  const amounts = new Map<string, Quantity>()
  for (const name in given) amounts.set(name, Quantity.parse(given[name]!))
  return amounts
}

export function oneOfEach(...names: readonly string[]): QuotaQuantities {
  return new Map(names.map((name) => [name, Quantity.of(1)]))
}

export function filterAmounts(amounts: QuotaQuantities, isWanted: (name: string) => boolean): QuotaQuantities {
  const wanted = new Map<string, Quantity>()
  for (const [name, amount] of amounts) if (isWanted(name)) wanted.set(name, amount)
  return wanted
}

export function addAmounts(left: QuotaQuantities, right: QuotaQuantities): QuotaQuantities {
  if (right.size === 0) return left
  const total = new Map(left)
  for (const [name, amount] of right) total.set(name, total.get(name)?.add(amount) ?? amount)
  return total
}

/** The increase from `before` to `next`, for resources that increase. */
export function amountsIncrease(next: QuotaQuantities, before: QuotaQuantities): QuotaQuantities {
  const more = new Map<string, Quantity>()
  for (const [name, amount] of next) {
    const less = before.get(name)
    const difference = less ? amount.subtract(less) : amount
    if (difference.sign() > 0) more.set(name, difference)
  }
  return more
}

/** Formats quantities for messages: `cpu=1,memory=1Gi`. */
export function amountsText(amounts: QuotaQuantities): string {
  return [...amounts.keys()]
    .sort()
    .map((name) => `${name}=${amounts.get(name)}`)
    .join(',')
}

export function writtenAmounts(amounts: QuotaQuantities): Record<string, string> {
  return Object.fromEntries([...amounts.keys()].sort().map((name) => [name, String(amounts.get(name))]))
}

export function zeroAmounts(names: Iterable<string>): QuotaQuantities {
  return new Map([...names].map((name) => [name, Quantity.zero]))
}

export function equalAmounts(left: QuotaQuantities, right: QuotaQuantities): boolean {
  if (left.size !== right.size) return false
  for (const [name, amount] of left) if (right.get(name)?.compare(amount) !== 0) return false
  return true
}
