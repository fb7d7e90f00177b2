import type { ZoneShares } from './zone-shares.js'

/** So much more than its share an endpoint may be given to do. */
const overload = 0.2

/** How many endpoints are for the clients of a zone. */
export interface Allocation {
  readonly minimum: number
  readonly maximum: number
  readonly desired: number
}

export type Allocations = ReadonlyMap<string, Allocation>

/** Why no endpoint is kept for a zone. */
export interface Refusal {
  readonly refused: string
}

/** How many of `count` endpoints each zone is to have, so that none does too much. */
export function allocate(count: number, shares: ZoneShares | undefined): Allocations | Refusal {
  if (!shares)
    return {
      refused: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    }
  const numbers = `(${count} endpoints, ${shares.size} zones)`
  if (shares.size > count) return { refused: `Insufficient number of endpoints ${numbers}` }
  const minimums = [...shares].map(([zone, share]) => ({ zone, share, minimum: fewest(count * share) }))
  const total = minimums.reduce((sum, { minimum }) => sum + minimum, 0)
  if (total > count)
    return {
      refused: `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`,
    }
  return new Map(
    minimums.map(({ zone, share, minimum }) => [
      zone,
      { minimum, maximum: minimum + count - total, desired: Math.max(share * count, minimum) },
    ]),
  )
}

function fewest(fairly: number): number {
  return Math.ceil(fairly * (1 / (1 + overload)))
}

/** How many endpoints are kept for each zone. */
export type ZoneCounts = ReadonlyMap<string, number>

/** Whether some zone has too few, with the processors where they are now. */
export function isOverloaded(counts: ZoneCounts, shares: ZoneShares | undefined): boolean {
  if (counts.size === 0) return false
  if (!shares) return true
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [...shares].some(([zone, share]) => (counts.get(zone) ?? -1) < fewest(total * share))
}
