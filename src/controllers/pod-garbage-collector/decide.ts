import { isNodeReady } from '../../api/core/v1/node/ready.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { compareText } from '../../schema/text-order.js'

/** Why a pod is collected, in the words of upstream's metrics. */
export type CollectionReason =
  /** It has ended, and too many pods have. */
  | 'terminated'
  /** It is being deleted, on a node with the out-of-service taint. */
  | 'out-of-service'
  /** Its node does not exist. */
  | 'orphaned'
  /** It is being deleted and was never bound. */
  | 'unscheduled'

export interface CollectedPod {
  readonly pod: Pod
  readonly reason: CollectionReason
}

export interface PodCollectorObservation {
  readonly pods: readonly Pod[]
  readonly node: (name: string) => Node | undefined
  /** Nodes that are known not to exist. */
  readonly goneNodes: ReadonlySet<string>
  /** How many ended pods may stay; 0 or less: all. */
  readonly threshold: number
}

/** The pods to delete, each once, in the order of upstream's passes. */
export function decide({ pods, node, goneNodes, threshold }: PodCollectorObservation): readonly CollectedPod[] {
  const reasons = new Map<Pod, CollectionReason>()
  const collect = (some: Iterable<Pod>, reason: CollectionReason) => {
    for (const pod of some) if (!reasons.has(pod)) reasons.set(pod, reason)
  }
  collect(surplus(pods, threshold), 'terminated')
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

/** The ended pods beyond the threshold, the oldest first. */
function surplus(pods: readonly Pod[], threshold: number): readonly Pod[] {
  if (threshold <= 0) return []
  const ended = pods.filter(hasEnded)
  const count = ended.length - threshold
  return count > 0 ? ended.sort(byEvictionAndAge).slice(0, count) : []
}

function hasEnded({ status }: Pod): boolean {
  return status.phase !== 'Pending' && status.phase !== 'Running' && status.phase !== 'Unknown'
}

/** Evicted pods first, then the oldest. */
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

/** The node has the taint and is not ready. */
function isOutOfService(node: Node | undefined): boolean {
  if (!node?.spec.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service')) return false
  return !isNodeReady(node)
}
