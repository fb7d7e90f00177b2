import type { ZoneShares } from './zone-shares.js'

/** How much more than its share of the traffic an endpoint may get. */
const overload = 0.2

/** How many endpoints are for clients of a zone. */
export interface Allocation {
  readonly minimum: number
  readonly maximum: number
  readonly desired: number
}

export type Allocations = ReadonlyMap<string, Allocation>

/** Why endpoints cannot be allocated to zones. */
export interface NoAllocation {
  readonly reason: string
}

/** Allocates `count` endpoints to zones by their shares, so that none is overloaded. */
export function allocate(count: number, shares: ZoneShares | undefined): Allocations | NoAllocation {
  if (!shares)
    return {
      reason: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    }
  const numbers = `(${count} endpoints, ${shares.size} zones)`
  if (shares.size > count) return { reason: `Insufficient number of endpoints ${numbers}` }
  const minimums = [...shares].map(([zone, share]) => ({ zone, share, minimum: minimumFor(count * share) }))
  const total = minimums.reduce((sum, { minimum }) => sum + minimum, 0)
  if (total > count)
    return {
      reason: `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`,
    }
  return new Map(
    minimums.map(({ zone, share, minimum }) => [
      zone,
      { minimum, maximum: minimum + count - total, desired: Math.max(share * count, minimum) },
    ]),
  )
}

function minimumFor(fair: number): number {
  return Math.ceil(fair * (1 / (1 + overload)))
}

/** How many endpoints each zone has. */
export type ZoneCounts = ReadonlyMap<string, number>

/** Whether a zone has too few endpoints for its current share. */
export function isOverloaded(counts: ZoneCounts, shares: ZoneShares | undefined): boolean {
  if (counts.size === 0) return false
  if (!shares) return true
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [...shares].some(([zone, share]) => (counts.get(zone) ?? -1) < minimumFor(total * share))
}
