import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { compareText } from '../../schema/text-order.js'
import { hasEnded, isAvailable } from '../pods/readiness.js'
import { nodeNameOf } from './daemon-pod.js'
import { type Placement, placementOf } from './placement.js'

/** Which pods of a set are on which nodes. */
export interface DaemonLayout {
  readonly set: DaemonSet
  /** The hash of the revision of the current template. */
  readonly hash: string
  /** Sorted by name. */
  readonly nodes: readonly DaemonNode[]
  readonly now: number
}

/** A node that has or should have a pod. */
export interface DaemonNode {
  readonly nodeName: string
  /** Undefined if the node is gone, but not its pods. */
  readonly node?: Node
  readonly placement: Placement
  /** The pod that counts comes first: bound pods before others, older ones before younger ones. */
  readonly pods: readonly Pod[]
}

export function layoutOf(
  set: DaemonSet,
  { hash, nodes, pods, now }: { hash: string; nodes: Iterable<Node>; pods: readonly Pod[]; now: number },
): DaemonLayout {
  const podsOn = podsByNode(pods)
  const placement = placementOf(set)
  const found: DaemonNode[] = []
  for (const node of nodes) {
    const nodeName = node.metadata.name!
    found.push({ nodeName, node, placement: placement(node), pods: inOrder(podsOn.get(nodeName) ?? []) })
    podsOn.delete(nodeName)
  }
  for (const [nodeName, left] of podsOn)
    found.push({ nodeName, placement: { shouldRun: false, mayStay: false }, pods: inOrder(left) })
  return { set, hash, nodes: found.sort((left, right) => compareText(left.nodeName, right.nodeName)), now }
}

function podsByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const result = new Map<string, Pod[]>()
  for (const pod of pods) {
    const nodeName = nodeNameOf(pod)
    // A pod that has ended and only exists because of a finalizer does not count.
    if (nodeName === undefined || (hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined)) continue
    const there = result.get(nodeName)
    if (there) there.push(pod)
    else result.set(nodeName, [pod])
  }
  return result
}

function inOrder(pods: readonly Pod[]): readonly Pod[] {
  if (pods.length < 2) return pods
  const isBound = ({ spec }: Pod) => Number(Boolean(spec.nodeName))
  return [...pods].sort(
    (left, right) =>
      isBound(right) - isBound(left) ||
      compareText(left.metadata.creationTimestamp!, right.metadata.creationTimestamp!) ||
      compareText(left.metadata.name!, right.metadata.name!),
  )
}

export function isAvailableIn({ set, now }: DaemonLayout, pod: Pod): boolean {
  return isAvailable(pod, set.spec.minReadySeconds ?? 0, now)
}
