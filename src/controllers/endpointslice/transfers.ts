import type { Allocations, ZoneCounts } from './allocation.js'

/** Endpoints that move from one zone to another. */
export interface Transfers {
  /** The zone that gets the next endpoint of `zone`; undefined if it stays. */
  next(zone: string): string | undefined
}

/** Balances the counts of zones with their allocations. Differences of less than one endpoint are ignored. */
export function transfers(allocations: Allocations, counts: ZoneCounts): Transfers {
  const { giving, receiving } = wholeNumbers(allocations, counts)
  return {
    next(zone) {
      const receiver = [...receiving.keys()][0]
      if (!giving.has(zone) || receiver === undefined) return undefined
      decrease(giving, zone)
      decrease(receiving, receiver)
      return receiver
    },
  }
}

function decrease(counts: Map<string, number>, zone: string): void {
  const left = counts.get(zone)! - 1
  if (left === 0) counts.delete(zone)
  else counts.set(zone, left)
}

function wholeNumbers(allocations: Allocations, counts: ZoneCounts) {
  const surplus = new Map<string, number>()
  const lack = new Map<string, number>()
  for (const [zone, { desired }] of allocations) {
    const difference = (counts.get(zone) ?? 0) - desired
    if (difference > 0) surplus.set(zone, difference)
    else if (difference < 0) lack.set(zone, -difference)
  }
  const giving = new Map<string, number>()
  const receiving = new Map<string, number>()
  for (;;) {
    const [giver, most] = largest(surplus)
    const [receiver, missing] = largest(lack)
    if (giver === '' || receiver === '' || (most < 1 && missing < 1) || most < 0.5 || missing < 0.5) break
    move(surplus, giving, giver)
    move(lack, receiving, receiver)
  }
  return { giving, receiving }
}

function move(rest: Map<string, number>, whole: Map<string, number>, zone: string): void {
  rest.set(zone, rest.get(zone)! - 1)
  whole.set(zone, (whole.get(zone) ?? 0) + 1)
}

function largest(amounts: ZoneCounts): readonly [zone: string, amount: number] {
  return [...amounts].reduce<readonly [string, number]>((most, each) => (each[1] > most[1] ? each : most), ['', 0])
}
