import { Quantity } from '../../schema/values/quantity.js'

/** Quantities by resource. */
export type ResourceQuantities = ReadonlyMap<string, Quantity>

export function readAmounts(given: Readonly<Record<string, string>> | undefined): ResourceQuantities {
  const amounts = new Map<string, Quantity>()
  for (const name in given) amounts.set(name, Quantity.parse(given[name]!))
  return amounts
}

export function oneOfEach(...names: readonly string[]): ResourceQuantities {
  return new Map(names.map((name) => [name, Quantity.of(1)]))
}

export function filterAmounts(amounts: ResourceQuantities, isWanted: (name: string) => boolean): ResourceQuantities {
  const wanted = new Map<string, Quantity>()
  for (const [name, amount] of amounts) if (isWanted(name)) wanted.set(name, amount)
  return wanted
}

export function addAmounts(left: ResourceQuantities, right: ResourceQuantities): ResourceQuantities {
  if (right.size === 0) return left
  const total = new Map(left)
  for (const [name, amount] of right) total.set(name, total.get(name)?.add(amount) ?? amount)
  return total
}

/** The increase from `before` to `next`, for resources that increase. */
export function amountsIncrease(next: ResourceQuantities, before: ResourceQuantities): ResourceQuantities {
  const more = new Map<string, Quantity>()
  for (const [name, amount] of next) {
    const less = before.get(name)
    const difference = less ? amount.subtract(less) : amount
    if (difference.sign() > 0) more.set(name, difference)
  }
  return more
}

/** Formats quantities for messages: `cpu=1,memory=1Gi`. */
export function amountsText(amounts: ResourceQuantities): string {
  return [...amounts.keys()]
    .sort()
    .map((name) => `${name}=${amounts.get(name)}`)
    .join(',')
}

export function writtenAmounts(amounts: ResourceQuantities): Record<string, string> {
  return Object.fromEntries([...amounts.keys()].sort().map((name) => [name, String(amounts.get(name))]))
}

export function zeroAmounts(names: Iterable<string>): ResourceQuantities {
  return new Map([...names].map((name) => [name, Quantity.zero]))
}

export function equalAmounts(left: ResourceQuantities, right: ResourceQuantities): boolean {
  if (left.size !== right.size) return false
  for (const [name, amount] of left) if (right.get(name)?.compare(amount) !== 0) return false
  return true
}
