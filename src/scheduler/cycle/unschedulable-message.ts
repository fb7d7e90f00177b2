import type { PluginRejection } from '../framework/rejection.js'
import type { SchedulingDecision, SchedulingDiagnosis } from './decision.js'

/** What people read where there is not a single node. */
export const noNodes = 'no nodes available to schedule pods'

/**
 * Why a pod could not be placed, as one sentence: `0/5 nodes are available: 2 Insufficient cpu, 3 node(s) had untolerated taint(s).`
 * A node counts under each reason that was given for it; reasons are sorted as text, the numbers included.
 * @param rescue what was found out about making room, if anything
 */
export function unschedulableMessage({ nodeCount, diagnosis }: SchedulingDecision, rescue: string): string {
  if (nodeCount === 0) return noNodes
  const why = reasonsOf(diagnosis, nodeCount)
  return `0/${nodeCount} nodes are available:${why && ` ${why}.`}${rescue && ` ${rescue}`}`
}

function reasonsOf(
  { preFilterRejection, otherNodesRejection, rejections }: SchedulingDiagnosis,
  nodeCount: number,
): string {
  if (preFilterRejection) return preFilterRejection.reasons.join(', ')
  return countedReasons(
    rejections,
    otherNodesRejection && { rejection: otherNodesRejection, nodes: nodeCount - rejections.length },
  )
}

/** `1 Insufficient memory, 2 Insufficient cpu`: what was said of nodes, one rejection of each; `further` was said of so many more. */
export function countedReasons(
  rejections: readonly PluginRejection[],
  further?: { readonly rejection: PluginRejection; readonly nodes: number },
): string {
  const counts = new Map<string, number>()
  const count = ({ reasons }: PluginRejection, nodes: number) => {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodes)
  }
  for (const rejection of rejections) count(rejection, 1)
  if (further && further.nodes > 0) count(further.rejection, further.nodes)
  return reasonsWithCounts(counts)
}

/** `1 Insufficient memory, 2 Insufficient cpu` */
export function reasonsWithCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .map(([reason, nodes]) => `${nodes} ${reason}`)
    .sort(asBytes)
    .join(', ')
}

function asBytes(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
