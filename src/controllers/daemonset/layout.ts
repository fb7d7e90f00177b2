import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { compareText } from '../../schema/text-order.js'
import { hasEnded } from '../pods/readiness.js'
import { nodeNameOf } from './daemon-pod.js'
import { type Placement, placementOf } from './placement.js'

/** What a set has where. */
export interface Layout {
  readonly set: DaemonSet
  /** Of the revision that the set describes now. */
  readonly hash: string
  /** In the order of their names. */
  readonly sites: readonly Site[]
  readonly now: number
}

/** A place where a pod is or should be. */
export interface Site {
  readonly nodeName: string
  /** None where the node is gone, but not its pods. */
  readonly node?: Node
  readonly placement: Placement
  /** The one that counts first: placed before waiting, older before younger. */
  readonly pods: readonly Pod[]
}

export function layoutOf(
  set: DaemonSet,
  { hash, nodes, pods, now }: { hash: string; nodes: Iterable<Node>; pods: readonly Pod[]; now: number },
): Layout {
  const podsOn = podsByNode(pods)
  const placement = placementOf(set)
  const sites: Site[] = []
  for (const node of nodes) {
    const nodeName = node.metadata.name!
    sites.push({ nodeName, node, placement: placement(node), pods: inOrder(podsOn.get(nodeName) ?? []) })
    podsOn.delete(nodeName)
  }
  for (const [nodeName, left] of podsOn)
    sites.push({ nodeName, placement: { shouldRun: false, mayStay: false }, pods: inOrder(left) })
  return { set, hash, sites: sites.sort((left, right) => compareText(left.nodeName, right.nodeName)), now }
}

function podsByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const result = new Map<string, Pod[]>()
  for (const pod of pods) {
    const nodeName = nodeNameOf(pod)
    // What has ended and is only held by a finalizer takes no place.
    if (nodeName === undefined || (hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined)) continue
    const there = result.get(nodeName)
    if (there) there.push(pod)
    else result.set(nodeName, [pod])
  }
  return result
}

function inOrder(pods: readonly Pod[]): readonly Pod[] {
  if (pods.length < 2) return pods
  const isPlaced = ({ spec }: Pod) => Number(Boolean(spec.nodeName))
  return [...pods].sort(
    (left, right) =>
      isPlaced(right) - isPlaced(left) ||
      compareText(left.metadata.creationTimestamp!, right.metadata.creationTimestamp!) ||
      compareText(left.metadata.name!, right.metadata.name!),
  )
}
