/** Whether what has changed leaves more for a pod. */
import type { Node } from '../../../api/core/v1/node.js'
import { parseResources, parseWholeQuantity, type ResourceAmounts } from '../../cache/resources.js'

/** The empty node would do. */
export function fitsEmpty(requests: ResourceAmounts, node: Node): boolean {
  return compare(requests, parseResources(node.status?.allocatable), (asked, there) => asked <= there).every(Boolean)
}

/** There is more of something that the pod asks for, or of room for pods. */
export function hasMore(requests: ResourceAmounts, old: Node, node: Node): boolean {
  const [before, now] = [old, node].map(({ status }) => status?.allocatable)
  if (parseWholeQuantity(now?.pods) > parseWholeQuantity(before?.pods)) return true
  return isLess(requests, parseResources(before), parseResources(now))
}

/** Of something that the pod asks for, `less` is less than `more`. */
export function isLess(requests: ResourceAmounts, less: ResourceAmounts, more: ResourceAmounts): boolean {
  const smaller = compare(requests, less, (_, amount) => amount)
  const greater = compare(requests, more, (_, amount) => amount)
  return smaller.some((amount, i) => amount < greater[i]!)
}

/** Looks at everything that the pod asks for. */
function compare<T>(requests: ResourceAmounts, there: ResourceAmounts, look: (asked: number, there: number) => T): T[] {
  const seen: T[] = []
  const see = (asked: number, amount: number) => {
    if (asked > 0) seen.push(look(asked, amount))
  }
  see(requests.milliCpu, there.milliCpu)
  see(requests.memory, there.memory)
  see(requests.ephemeralStorage, there.ephemeralStorage)
  for (const [name, asked] of requests.extended) see(asked, there.extended.get(name) ?? 0)
  return seen
}
