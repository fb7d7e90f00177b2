import type { Endpoint, EndpointPort } from '../../api/discovery/v1/endpoint-slice.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'

export const serviceNameLabel = 'kubernetes.io/service-name'
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
export const headlessLabel = 'service.kubernetes.io/headless'

const byService = 'service and manager'

/** A slice to be written: an existing one, or a new one, which has no name yet. */
export interface SliceDraft {
  readonly metadata: Partial<ObjectMeta>
  readonly addressType: EndpointSlice['addressType']
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}

/** Changes of the slices of a service. */
export interface SliceChanges {
  readonly create: readonly SliceDraft[]
  readonly update: readonly SliceDraft[]
  readonly remove: readonly EndpointSlice[]
}

/** The slices of a service that `manager` manages, without those that are being deleted. */
export function slicesOfService(
  informers: SharedInformers,
  service: string,
  manager: string,
): readonly EndpointSlice[] {
  const slices = informers.of(EndpointSlice)
  slices.addIndex(byService, (slice) => {
    const key = serviceKeyOf(slice)
    return key === undefined ? [] : [indexKey(key, slice.metadata.labels?.[managedByLabel] ?? '')]
  })
  const found = [...slices.by(byService, indexKey(service, manager))]
  return found.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

function indexKey(service: string, manager: string): string {
  return `${service} ${manager}`
}

/** The key of the service that the slice belongs to. */
function serviceKeyOf({ metadata }: EndpointSlice): string | undefined {
  const service = metadata.labels?.[serviceNameLabel]
  return service ? `${metadata.namespace}/${service}` : undefined
}

/** Reconciles the service of a slice that `manager` manages, or managed: another client may have changed the slice. */
export function serviceOfSlice(manager: string) {
  return function* ({ object, old }: Change<EndpointSlice>): Iterable<string> {
    for (const slice of old ? [object, old] : [object]) {
      const key = serviceKeyOf(slice)
      if (key !== undefined && slice.metadata.labels?.[managedByLabel] === manager) yield key
    }
  }
}

/** An existing slice as a draft; absent lists are empty. */
export function draftOf(slice: EndpointSlice): SliceDraft {
  return { ...slice, endpoints: slice.endpoints ?? [], ports: slice.ports ?? [] }
}

/** The same for two lists of the same ports in any order. */
export function portsKey(ports: readonly EndpointPort[] | undefined | null): string {
  return (ports ?? [])
    .map(({ name = '', port, protocol, appProtocol }) => JSON.stringify([name, port, protocol, appProtocol]))
    .sort()
    .join()
}

/** Identifies an endpoint by its addresses, its hostname and its target. */
export function endpointKey({ addresses, hostname = '', targetRef }: Endpoint): string {
  return JSON.stringify([[...addresses].sort(), hostname, targetRef?.namespace, targetRef?.name])
}

/** The prefix of generated slice names: the name of the service, and a dash if there is room. */
export function slicePrefix(service: string): string {
  return service.length < maxNameLength ? `${service}-` : service
}

const maxNameLength = 253
