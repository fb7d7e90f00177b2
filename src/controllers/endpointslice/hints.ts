import type { Service } from '../../api/core/v1/service.js'
import type { Endpoint, EndpointHints } from '../../api/discovery/v1/endpoint-slice.js'
import { isSame } from '../../api/validation/immutability.js'
import type { SliceDraft } from '../services/endpoint-slices.js'

/** The slices of a service with one address type, without those that are removed. */
export interface SliceSet {
  readonly create: readonly SliceDraft[]
  readonly update: readonly SliceDraft[]
  /** A slice that needs other hints moves to `update`. */
  readonly unchanged: readonly SliceDraft[]
}

export function isReadyEndpoint({ conditions }: Endpoint): boolean {
  return conditions?.ready === true
}

export function withoutHint({ hints: _, ...endpoint }: Endpoint): Endpoint {
  return endpoint
}

export function withoutHints(set: SliceSet): SliceSet {
  const clear = (slice: SliceDraft) => ({ ...slice, endpoints: slice.endpoints.map(withoutHint) })
  return rewritten(set, clear, ({ endpoints }) => endpoints.some(({ hints }) => hints !== undefined))
}

/** Rewrites the slices that are written anyway, and unchanged ones that are wrong. */
export function rewritten(
  { create, update, unchanged }: SliceSet,
  rewrite: (slice: SliceDraft) => SliceDraft,
  isWrong: (slice: SliceDraft) => boolean,
): SliceSet {
  const wrong = unchanged.filter(isWrong)
  return {
    create: create.map(rewrite),
    update: [...update, ...wrong].map(rewrite),
    unchanged: unchanged.filter((slice) => !wrong.includes(slice)),
  }
}

const distributions: readonly (string | undefined)[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode']

export function prefersClose({ spec }: Service): boolean {
  return distributions.includes(spec.trafficDistribution)
}

/** Each endpoint is for clients in its own zone, or on its own node. */
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
