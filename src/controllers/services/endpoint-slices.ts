import type { Endpoint, EndpointPort } from '../../api/discovery/v1/endpoint-slice.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'

export const serviceNameLabel = 'kubernetes.io/service-name'
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
export const headlessLabel = 'service.kubernetes.io/headless'

const byService = 'service and manager'

/** A slice as it is to be written: one that is there, or one to be made, which has no name yet. */
export interface SliceDraft {
  readonly metadata: Partial<ObjectMeta>
  readonly addressType: EndpointSlice['addressType']
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}

/** What is to be done with the slices of a service. */
export interface SliceChanges {
  readonly create: readonly SliceDraft[]
  readonly update: readonly SliceDraft[]
  readonly remove: readonly EndpointSlice[]
}

/** The slices that `manager` keeps for a service, of which nobody has asked for the end. */
export function slicesOf(informers: SharedInformers, service: string, manager: string): readonly EndpointSlice[] {
  const slices = informers.of(EndpointSlice)
  slices.addIndex(byService, (slice) => {
    const key = serviceKeyOf(slice)
    return key === undefined ? [] : [filedUnder(key, slice.metadata.labels?.[managedByLabel] ?? '')]
  })
  const found = [...slices.by(byService, filedUnder(service, manager))]
  return found.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

function filedUnder(service: string, manager: string): string {
  return `${service} ${manager}`
}

/** Which service it is of. */
export function serviceKeyOf({ metadata }: EndpointSlice): string | undefined {
  const service = metadata.labels?.[serviceNameLabel]
  return service ? `${metadata.namespace}/${service}` : undefined
}

/** A change of a slice that `manager` keeps, or kept, concerns its service: somebody else may have been at it. */
export function concernsServiceOf(manager: string) {
  return function* ({ object, old }: Change<EndpointSlice>): Iterable<string> {
    for (const slice of old ? [object, old] : [object]) {
      const key = serviceKeyOf(slice)
      if (key !== undefined && slice.metadata.labels?.[managedByLabel] === manager) yield key
    }
  }
}

/** A slice as it is: without endpoints or ports there is nothing in their place. */
export function draftOf(slice: EndpointSlice): SliceDraft {
  return { ...slice, endpoints: slice.endpoints ?? [], ports: slice.ports ?? [] }
}

/** Says the same of two lists of ports that are the same, in whatever order. */
export function portsKey(ports: readonly EndpointPort[] | undefined | null): string {
  return (ports ?? [])
    .map(({ name = '', port, protocol, appProtocol }) => JSON.stringify([name, port, protocol, appProtocol]))
    .sort()
    .join()
}

/** Which endpoint it is, whatever has become of it: by its addresses, its name, and what is behind it. */
export function endpointKey({ addresses, hostname = '', targetRef }: Endpoint): string {
  return JSON.stringify([[...addresses].sort(), hostname, targetRef?.namespace, targetRef?.name])
}

/** A name for the slice is made of that of the service and something random, with a dash between where there is room. */
export function slicePrefix(service: string): string {
  return service.length < longestName ? `${service}-` : service
}

const longestName = 253
