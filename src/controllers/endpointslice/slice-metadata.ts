import type { Service } from '../../api/core/v1/service.js'
import type { AddressType, EndpointPort, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { isSame } from '../../api/validation/immutability.js'
import { controllerReference } from '../runtime/owners.js'
import {
  headlessLabel,
  managedByLabel,
  type SliceDraft,
  serviceNameLabel,
  slicePrefix,
} from '../services/endpoint-slices.js'
import { isHeadless } from '../services/service-pods.js'

/** The value of the managed-by label of slices that this controller creates. */
export const manager = 'endpointslice-controller.k8s.io'

type Labels = Readonly<Record<string, string>>

const reserved: readonly string[] = [serviceNameLabel, managedByLabel, headlessLabel]

/** The labels of the service, and those that identify the service and this controller. */
export function sliceLabels(service: Service): Labels {
  return {
    ...unreserved(service.metadata.labels),
    ...(isHeadless(service) && { [headlessLabel]: '' }),
    [serviceNameLabel]: service.metadata.name!,
    [managedByLabel]: manager,
  }
}

export function hasLabelsOf({ metadata }: EndpointSlice, service: Service): boolean {
  return isSame(unreserved(metadata.labels), unreserved(service.metadata.labels))
}

function unreserved(labels: Labels = {}): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !reserved.includes(key)))
}

/** A new slice without endpoints. */
export function newSlice(
  service: Service,
  { addressType, ports }: { readonly addressType: AddressType; readonly ports: readonly EndpointPort[] },
): SliceDraft {
  const { namespace, name } = service.metadata
  const metadata = {
    generateName: slicePrefix(name!),
    namespace: namespace!,
    labels: sliceLabels(service),
    ownerReferences: [controllerReference({ ...service, apiVersion: 'v1', kind: 'Service' })],
  }
  return { metadata, addressType, ports, endpoints: [] }
}

/** A slice of an earlier service with the same name is not reused: the garbage collector deletes it. */
export function isOwnedBy({ metadata }: EndpointSlice, service: Service): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1',
  )
}
