import type { Service } from '../../api/core/v1/service.js'
import type { AddressType, Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { isSame } from '../../api/validation/immutability.js'
import { draftOf, endpointKey, type SliceChanges, type SliceDraft } from '../services/endpoint-slices.js'
import { hasLabelsOf, newSlice, sliceLabels } from './slice-metadata.js'

/** Endpoints that share their ports, and so may share slices. */
export interface Group {
  readonly addressType: AddressType
  readonly ports: readonly EndpointPort[]
  /** By what they are. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
}

/**
 * Distributes endpoints over slices so that few slices change: whoever watches them is sent each that does. What is in a slice stays in it;
 * what is new goes into slices that change anyway, then all of it into one that has room, then into new slices.
 */
export function pack(slices: readonly EndpointSlice[], group: Group, service: Service, limit: number): SliceChanges {
  const kept = keepWanted(slices, group, service)
  const rest = [...kept.missing.values()]
  const changed = fillFullestFirst(kept.changed, rest, limit)
  const create: SliceDraft[] = []
  while (rest.length > 0) {
    const filled = rest.length < limit ? takeFittest(kept.unchanged, rest.length, limit) : undefined
    const slice = filled ?? newSlice(service, group)
    const full = withMore(slice, rest.splice(0, limit - slice.endpoints.length))
    if (filled) changed.push(full)
    else create.push(full)
  }
  return { create, update: changed, remove: kept.empty }
}

interface Kept {
  readonly changed: SliceDraft[]
  readonly unchanged: SliceDraft[]
  /** Nothing of what they had is wanted any more. */
  readonly empty: EndpointSlice[]
  /** Wanted, and in no slice. */
  readonly missing: ReadonlyMap<string, Endpoint>
}

function keepWanted(slices: readonly EndpointSlice[], { endpoints }: Group, service: Service): Kept {
  const missing = new Map(endpoints)
  const kept: Kept = { changed: [], unchanged: [], empty: [], missing }
  for (const slice of slices) {
    const draft = draftOf(slice)
    const wanted = draft.endpoints.flatMap((endpoint) => taken(missing, endpointKey(endpoint)))
    const isSameSize = wanted.length === draft.endpoints.length
    const isUnchanged = isSameSize && draft.endpoints.every((endpoint, i) => saysTheSame(endpoint, wanted[i]!))
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

/** Hints are no matter of the pod: they are looked at when all slices are known. */
function saysTheSame({ hints: _, ...one }: Endpoint, { hints: __, ...other }: Endpoint): boolean {
  return isSame(comparable(one), comparable(other))
}

function comparable({ nodeName, zone, conditions, targetRef }: Endpoint): object {
  const { resourceVersion: _, ...reference } = targetRef ?? {}
  return { nodeName: nodeName ?? null, zone: zone ?? null, conditions: conditions ?? {}, reference }
}

function labelled(slice: SliceDraft, service: Service): SliceDraft {
  return { ...slice, metadata: { ...slice.metadata, labels: sliceLabels(service) } }
}

/** Takes from `rest` what goes into slices that are written in any case. */
function fillFullestFirst(slices: readonly SliceDraft[], rest: Endpoint[], limit: number): SliceDraft[] {
  const fullestFirst = [...slices].sort((one, other) => other.endpoints.length - one.endpoints.length)
  return fullestFirst.map((slice) => withMore(slice, rest.splice(0, Math.max(limit - slice.endpoints.length, 0))))
}

function withMore(slice: SliceDraft, endpoints: readonly Endpoint[]): SliceDraft {
  return endpoints.length === 0 ? slice : { ...slice, endpoints: [...slice.endpoints, ...endpoints] }
}

/** The slice that `count` endpoints more fill best, taken out of the list; undefined if they fit into none. */
function takeFittest(slices: SliceDraft[], count: number, limit: number): SliceDraft | undefined {
  const room = slices.map(({ endpoints }) => limit - endpoints.length - count)
  const least = Math.min(...room.filter((left) => left >= 0))
  const fittest = room.indexOf(least)
  return fittest < 0 ? undefined : slices.splice(fittest, 1)[0]
}
