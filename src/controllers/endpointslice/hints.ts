import type { Endpoint } from '../../api/discovery/v1/endpoint-slice.js'
import type { SliceDraft } from '../services/endpoint-slices.js'

/** The slices of a service, of one kind of addresses, but for those that go. */
export interface SliceSet {
  readonly create: readonly SliceDraft[]
  readonly update: readonly SliceDraft[]
  /** As they are. One that has to change after all goes over to `update`. */
  readonly unchanged: readonly SliceDraft[]
}

export function isReadyEndpoint({ conditions }: Endpoint): boolean {
  return conditions?.ready === true
}

export function withoutHint({ hints: _, ...endpoint }: Endpoint): Endpoint {
  return endpoint
}

/** Nobody is told to prefer anything. */
export function withoutHints(set: SliceSet): SliceSet {
  const clear = (slice: SliceDraft) => ({ ...slice, endpoints: slice.endpoints.map(withoutHint) })
  return rewritten(set, clear, ({ endpoints }) => endpoints.some(({ hints }) => hints !== undefined))
}

/** Rewrites what is written anyway, and those of the others that are wrong. */
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
