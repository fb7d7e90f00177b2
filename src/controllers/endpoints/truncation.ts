import type { EndpointAddress, EndpointSubset } from '../../api/core/v1/endpoints.js'

/** The most addresses of one object: every change of it is sent to every node. */
export const capacity = 1000

export interface TruncatedSubsets {
  readonly subsets: readonly EndpointSubset[]
  readonly isTruncated: boolean
}

/** Leaves out addresses beyond the capacity: those that are not ready first, and from each subset in proportion to its size. */
export function truncate(subsets: readonly EndpointSubset[]): TruncatedSubsets {
  const ready = count(subsets, 'addresses')
  const notReady = count(subsets, 'notReadyAddresses')
  if (ready + notReady <= capacity) return { subsets, isTruncated: false }
  if (ready <= capacity)
    return {
      subsets: shortened(subsets, 'notReadyAddresses', { total: notReady, room: capacity - ready }),
      isTruncated: true,
    }
  const onlyReady = subsets.map(({ notReadyAddresses: _, ...subset }) => subset)
  return { subsets: shortened(onlyReady, 'addresses', { total: ready, room: capacity }), isTruncated: true }
}

type List = 'addresses' | 'notReadyAddresses'

function count(subsets: readonly EndpointSubset[], list: List): number {
  return subsets.reduce((sum, subset) => sum + (subset[list]?.length ?? 0), 0)
}

/** The share of a subset is rounded up, so the last one may get less than its share. */
function shortened(
  subsets: readonly EndpointSubset[],
  list: List,
  { total, room }: { readonly total: number; readonly room: number },
): readonly EndpointSubset[] {
  let left = room
  return subsets.map((subset) => {
    const all = subset[list] ?? []
    const kept = all.slice(0, Math.min(Math.ceil((all.length / total) * room), left))
    left -= kept.length
    return withList(subset, list, kept)
  })
}

function withList(subset: EndpointSubset, list: List, addresses: readonly EndpointAddress[]): EndpointSubset {
  const { [list]: _, ...rest } = subset
  return addresses.length === 0 ? rest : { ...rest, [list]: addresses }
}
