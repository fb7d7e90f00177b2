import type { EndpointSlice } from '../../../api/discovery/v1/endpoint-slice.js'
import { ApiError } from '../../../api/errors.js'
import { resourcePath } from '../../resources/resource-object.js'
import type { DescribeContext } from '../context.js'
import { noneText } from '../text.js'

const slices = { root: '/apis/discovery.k8s.io/v1', plural: 'endpointslices', namespaced: true }
const serviceLabel = 'kubernetes.io/service-name'

/** The endpoint slices of a service; none if the user may not list them. */
export async function endpointsOf(
  service: string,
  namespace: string,
  on: DescribeContext,
): Promise<readonly EndpointSlice[]> {
  try {
    return await on.list<EndpointSlice>(resourcePath(slices, namespace), {
      labelSelector: `${serviceLabel}=${service}`,
    })
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

const most = 3

/** `10.0.0.1:80,10.0.0.2:80 + 2 more...`: the ready endpoints of one port. */
export function endpointsText(all: readonly EndpointSlice[], portName: string): string {
  if (all.length === 0) return noneText
  const found = all.flatMap((slice) => addressesIn(slice, portName))
  const shown = found.slice(0, most).join(',')
  return found.length > most ? `${shown} + ${found.length - most} more...` : shown
}

function addressesIn({ ports, endpoints }: EndpointSlice, portName: string): readonly string[] {
  const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready ?? true)
  const addresses = ready.map(({ addresses: [address = ''] }) => address)
  if (!ports || ports.length === 0) return addresses
  return ports
    .filter(({ name = '' }) => name === portName)
    .flatMap(({ port }) => addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${port}`))
}
