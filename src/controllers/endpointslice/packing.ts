import type { Service } from '../../api/core/v1/service.js'
import type { AddressType, Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { isSame } from '../../api/validation/immutability.js'
import { draftOf, endpointKey, type SliceChanges, type SliceDraft } from '../services/endpoint-slices.js'
import { hasLabelsOf, newSlice, sliceLabels } from './slice-metadata.js'

/** Endpoints with the same ports, which may be in the same slice. */
export interface EndpointGroup {
  readonly addressType: AddressType
  readonly ports: readonly EndpointPort[]
  /** By `endpointKey`. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
}

/**
 * Distributes endpoints over slices so that few slices change: every changed slice is sent to all watchers. An endpoint stays in its slice. New
 * endpoints go into slices that change anyway, then all of them into one that has room, then into new slices.
 */
export function pack(
  slices: readonly EndpointSlice[],
  group: EndpointGroup,
  service: Service,
  limit: number,
): SliceChanges {
  const kept = keepExisting(slices, group, service)
  const rest = [...kept.missing.values()]
  const changed = fillFullestFirst(kept.changed, rest, limit)
  const create: SliceDraft[] = []
  while (rest.length > 0) {
    const filled = rest.length < limit ? takeBestFit(kept.unchanged, rest.length, limit) : undefined
    const slice = filled ?? newSlice(service, group)
    const full = withMore(slice, rest.splice(0, limit - slice.endpoints.length))
    if (filled) changed.push(full)
    else create.push(full)
  }
  return { create, update: changed, remove: kept.empty }
}

interface PackedSlices {
  readonly changed: SliceDraft[]
  readonly unchanged: SliceDraft[]
  /** Slices whose endpoints are all gone. */
  readonly empty: EndpointSlice[]
  /** Endpoints that are in no slice. */
  readonly missing: ReadonlyMap<string, Endpoint>
}

function keepExisting(slices: readonly EndpointSlice[], { endpoints }: EndpointGroup, service: Service): PackedSlices {
  const missing = new Map(endpoints)
  const kept: PackedSlices = { changed: [], unchanged: [], empty: [], missing }
  for (const slice of slices) {
    const draft = draftOf(slice)
    const wanted = draft.endpoints.flatMap((endpoint) => taken(missing, endpointKey(endpoint)))
    const isSameSize = wanted.length === draft.endpoints.length
    const isUnchanged = isSameSize && draft.endpoints.every((endpoint, i) => isSameEndpoint(endpoint, wanted[i]!))
    if (!isSameSize && wanted.length === 0) kept.empty.push(slice)
    else if (!isUnchanged) kept.changed.push(labelled({ ...draft, endpoints: wanted }, service))
    else if (!hasLabelsOf(slice, service)) kept.changed.push(labelled(draft, service))
    else kept.unchanged.push(draft)
  }
  return kept
}

function taken(endpoints: Map<string, Endpoint>, key: string): readonly Endpoint[] {
  const found = endpoints.get(key)
  endpoints.delete(key)
  return found ? [found] : []
}

/** Without hints, which are decided when all slices are known. */
function isSameEndpoint({ hints: _, ...one }: Endpoint, { hints: __, ...other }: Endpoint): boolean {
  return isSame(comparable(one), comparable(other))
}

function comparable({ nodeName, zone, conditions, targetRef }: Endpoint): object {
  const { resourceVersion: _, ...reference } = targetRef ?? {}
  return { nodeName: nodeName ?? null, zone: zone ?? null, conditions: conditions ?? {}, reference }
}

function labelled(slice: SliceDraft, service: Service): SliceDraft {
  return { ...slice, metadata: { ...slice.metadata, labels: sliceLabels(service) } }
}

/** Takes endpoints from `rest` for slices that are written anyway. */
function fillFullestFirst(slices: readonly SliceDraft[], rest: Endpoint[], limit: number): SliceDraft[] {
  const fullestFirst = [...slices].sort((one, other) => other.endpoints.length - one.endpoints.length)
  return fullestFirst.map((slice) => withMore(slice, rest.splice(0, Math.max(limit - slice.endpoints.length, 0))))
}

function withMore(slice: SliceDraft, endpoints: readonly Endpoint[]): SliceDraft {
  return endpoints.length === 0 ? slice : { ...slice, endpoints: [...slice.endpoints, ...endpoints] }
}

/** Removes from the list the slice that `count` more endpoints fill best; undefined if they fit into none. */
function takeBestFit(slices: SliceDraft[], count: number, limit: number): SliceDraft | undefined {
  const room = slices.map(({ endpoints }) => limit - endpoints.length - count)
  const least = Math.min(...room.filter((left) => left >= 0))
  const bestFit = room.indexOf(least)
  return bestFit < 0 ? undefined : slices.splice(bestFit, 1)[0]
}
