import { Quantity } from '../../schema/values/quantity.js'

/** How much of each resource. */
export type Amounts = ReadonlyMap<string, Quantity>

export function readAmounts(given: Readonly<Record<string, string>> | undefined): Amounts {
  const amounts = new Map<string, Quantity>()
  for (const name in given) amounts.set(name, Quantity.parse(given[name]!))
  return amounts
}

export function one(...names: readonly string[]): Amounts {
  return new Map(names.map((name) => [name, Quantity.of(1)]))
}

export function only(amounts: Amounts, isWanted: (name: string) => boolean): Amounts {
  const wanted = new Map<string, Quantity>()
  for (const [name, amount] of amounts) if (isWanted(name)) wanted.set(name, amount)
  return wanted
}

export function sum(left: Amounts, right: Amounts): Amounts {
  if (right.size === 0) return left
  const total = new Map(left)
  for (const [name, amount] of right) total.set(name, total.get(name)?.add(amount) ?? amount)
  return total
}

/** How much more `next` is than `before`; nothing where it is not. */
export function increase(next: Amounts, before: Amounts): Amounts {
  const more = new Map<string, Quantity>()
  for (const [name, amount] of next) {
    const less = before.get(name)
    const difference = less ? amount.subtract(less) : amount
    if (difference.sign() > 0) more.set(name, difference)
  }
  return more
}

/** `cpu=1,memory=1Gi`, as refusals name it. */
export function amountsText(amounts: Amounts): string {
  return [...amounts.keys()]
    .sort()
    .map((name) => `${name}=${amounts.get(name)}`)
    .join(',')
}

export function writtenAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts.keys()].sort().map((name) => [name, String(amounts.get(name))]))
}

export function zero(names: Iterable<string>): Amounts {
  return new Map([...names].map((name) => [name, Quantity.zero]))
}

export function equalAmounts(left: Amounts, right: Amounts): boolean {
  if (left.size !== right.size) return false
  for (const [name, amount] of left) if (right.get(name)?.compare(amount) !== 0) return false
  return true
}
