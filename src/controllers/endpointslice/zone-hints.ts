import type { Endpoint } from '../../api/discovery/v1/endpoint-slice.js'
import type { SliceDraft } from '../services/endpoint-slices.js'
import { type Allocations, allocate, type NoAllocation, type ZoneCounts } from './allocation.js'
import { isReadyEndpoint, type SliceSet, withoutHint } from './hints.js'
import { transfers } from './transfers.js'
import type { ZoneShares } from './zone-shares.js'

export interface HintedSlices {
  readonly set: SliceSet
  readonly counts: ZoneCounts
}

/**
 * Each endpoint is for clients of its own zone; zones with more than their share give some to other zones. Slices whose hints are still valid
 * stay unchanged.
 */
export function zoneHints(set: SliceSet, shares: ZoneShares | undefined): HintedSlices | NoAllocation {
  const all = [...set.create, ...set.update, ...set.unchanged]
  const allocations = allocate(all.flatMap(({ endpoints }) => endpoints.filter(isReadyEndpoint)).length, shares)
  if ('reason' in allocations) return allocations as NoAllocation
  const { good, bad, counts } = separateSlices(set.unchanged, allocations as Allocations)
  const changing = [...set.create, ...set.update, ...bad]
  const hasNoZone = changing.some(({ endpoints }) => endpoints.some((each) => isReadyEndpoint(each) && !each.zone))
  if (hasNoZone) return { reason: 'One or more endpoints do not have a zone specified' }
  const hinted = hintAll(changing, allocations as Allocations, counts)
  if (counts.size === 0) return { reason: 'No hints allocated for zones' }
  return {
    set: { create: hinted.slice(0, set.create.length), update: hinted.slice(set.create.length), unchanged: good },
    counts,
  }
}

/** Separates slices with valid hints, whose endpoints are counted, from those that must be rewritten. */
function separateSlices(slices: readonly SliceDraft[], allocations: Allocations) {
  const counts = new Map<string, number>()
  const bad: SliceDraft[] = []
  const good = slices.filter((slice) => {
    const given = zonesOf(slice)
    const isGood =
      given !== undefined &&
      [...given].every(([zone, count]) => count + (counts.get(zone) ?? 0) <= (allocations.get(zone)?.maximum ?? -1))
    if (isGood) for (const [zone, count] of given) addTo(counts, zone, count)
    else bad.push(slice)
    return isGood
  })
  return { good, bad, counts }
}

/** Undefined if an endpoint has no hint. */
function zonesOf({ endpoints }: SliceDraft): ZoneCounts | undefined {
  const counts = new Map<string, number>()
  for (const { hints } of endpoints.filter(isReadyEndpoint)) {
    if (!hints?.forZones?.length) return undefined
    for (const { name } of hints.forZones) addTo(counts, name, 1)
  }
  return counts
}

function addTo(counts: Map<string, number>, zone: string, count: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + count)
}

/** Adds the endpoints of these slices to `counts`, which has those of other slices. */
function hintAll(slices: readonly SliceDraft[], allocations: Allocations, counts: Map<string, number>): SliceDraft[] {
  for (const { endpoints } of slices) for (const { zone } of endpoints.filter(isReadyEndpoint)) addTo(counts, zone!, 1)
  const moves = transfers(allocations, counts)
  const zoneFor = (own: string): string => {
    const zone = moves.next(own)
    if (zone === undefined) return own
    addTo(counts, own, -1)
    addTo(counts, zone, 1)
    return zone
  }
  const hint = (endpoint: Endpoint): Endpoint =>
    isReadyEndpoint(endpoint)
      ? { ...endpoint, hints: { forZones: [{ name: zoneFor(endpoint.zone!) }] } }
      : withoutHint(endpoint)
  return slices.map((slice) => ({ ...slice, endpoints: slice.endpoints.map(hint) }))
}
