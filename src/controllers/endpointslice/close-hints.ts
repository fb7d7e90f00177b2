import type { Service } from '../../api/core/v1/service.js'
import type { Endpoint, EndpointHints } from '../../api/discovery/v1/endpoint-slice.js'
import { isSame } from '../../api/validation/immutability.js'
import { isReadyEndpoint, rewritten, type SliceSet } from './hints.js'

const distributions: readonly (string | undefined)[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode']

export function prefersClose({ spec }: Service): boolean {
  return distributions.includes(spec.trafficDistribution)
}

/** Each endpoint is for those who are where it is: in the same zone, and on the same node where that is asked for. */
export function closeHints(set: SliceSet, { spec }: Service): SliceSet {
  const wantsNode = spec.trafficDistribution === 'PreferSameNode'
  const hinted = (endpoint: Endpoint) => (isReadyEndpoint(endpoint) ? withHints(endpoint, wantsNode) : endpoint)
  return rewritten(
    set,
    (slice) => ({ ...slice, endpoints: slice.endpoints.map(hinted) }),
    ({ endpoints }) => endpoints.some((endpoint) => !isSame(endpoint, hinted(endpoint))),
  )
}

function withHints({ hints: _, ...endpoint }: Endpoint, wantsNode: boolean): Endpoint {
  const { zone, nodeName } = endpoint
  const hints: EndpointHints = {
    ...(zone !== undefined && { forZones: [{ name: zone }] }),
    ...(wantsNode && nodeName !== undefined && { forNodes: [{ name: nodeName }] }),
  }
  return Object.keys(hints).length === 0 ? endpoint : { ...endpoint, hints }
}
