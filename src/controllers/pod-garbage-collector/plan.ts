import { isNodeReady } from '../../api/core/v1/node/ready.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { compareText } from '../../schema/text-order.js'

/** Why a pod is collected; named as upstream's metrics name it. */
export type Reason =
  /** It has ended, and too many have. */
  | 'terminated'
  /** It is to end on a node of which somebody says that it is out of service. */
  | 'out-of-service'
  /** Its node does not exist. */
  | 'orphaned'
  /** It is to end and never began. */
  | 'unscheduled'

export interface Collected {
  readonly pod: Pod
  readonly reason: Reason
}

export interface PodsAndNodes {
  readonly pods: readonly Pod[]
  readonly node: (name: string) => Node | undefined
  /** Nodes that are known not to exist. */
  readonly goneNodes: ReadonlySet<string>
  /** How many pods that have ended may stay; none are collected if it is not positive. */
  readonly threshold: number
}

/** Decides which pods go. Each is named once, in the order of upstream's rounds. */
export function plan({ pods, node, goneNodes, threshold }: PodsAndNodes): readonly Collected[] {
  const reasons = new Map<Pod, Reason>()
  const collect = (some: Iterable<Pod>, reason: Reason) => {
    for (const pod of some) if (!reasons.has(pod)) reasons.set(pod, reason)
  }
  collect(superfluous(pods, threshold), 'terminated')
  const ending = pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  const outOfService = ending.filter(({ spec }) => isOutOfService(node(spec.nodeName ?? '')))
  collect([...outOfService].sort(byEvictionAndAge), 'out-of-service')
  collect(
    pods.filter(({ spec }) => goneNodes.has(spec.nodeName ?? '')),
    'orphaned',
  )
  collect(
    ending.filter(({ spec }) => !spec.nodeName),
    'unscheduled',
  )
  return [...reasons].map(([pod, reason]) => ({ pod, reason }))
}

/** Of the pods that have ended, those beyond the threshold, the oldest first. */
function superfluous(pods: readonly Pod[], threshold: number): readonly Pod[] {
  if (threshold <= 0) return []
  const ended = pods.filter(hasEnded)
  const count = ended.length - threshold
  return count > 0 ? ended.sort(byEvictionAndAge).slice(0, count) : []
}

function hasEnded({ status }: Pod): boolean {
  return status.phase !== 'Pending' && status.phase !== 'Running' && status.phase !== 'Unknown'
}

/** Whoever was evicted goes first: what controllers made of the others may still be asked about. */
function byEvictionAndAge(one: Pod, other: Pod): number {
  return (
    Number(isEvicted(other)) - Number(isEvicted(one)) ||
    compareText(one.metadata.creationTimestamp ?? '', other.metadata.creationTimestamp ?? '') ||
    compareText(one.metadata.name ?? '', other.metadata.name ?? '')
  )
}

function isEvicted({ status }: Pod): boolean {
  return status.phase === 'Failed' && status.reason === 'Evicted'
}

/** Somebody must say so, and the node must not say the contrary. */
function isOutOfService(node: Node | undefined): boolean {
  if (!node?.spec.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service')) return false
  return !isNodeReady(node)
}
