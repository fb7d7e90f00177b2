import type { PluginRejection } from '../framework/rejection.js'
import type { SchedulingDecision, SchedulingDiagnosis } from './decision.js'

const noNodes = 'no nodes available to schedule pods'

/**
 * The message of the PodScheduled condition, as upstream's: `0/5 nodes are available: 2 Insufficient cpu, 3 node(s) had untolerated
 * taint(s).` A node counts under each of its reasons; the reasons are sorted as text, with their numbers.
 * @param postFilter the message of PostFilter, if any
 */
export function unschedulableMessage({ nodeCount, diagnosis }: SchedulingDecision, postFilter: string): string {
  if (nodeCount === 0) return noNodes
  const reasons = allReasons(diagnosis, nodeCount)
  return `0/${nodeCount} nodes are available:${reasons && ` ${reasons}.`}${postFilter && ` ${postFilter}`}`
}

function allReasons(diagnosis: SchedulingDiagnosis, nodeCount: number): string {
  const { preFilterRejection, otherNodesRejection, rejections } = diagnosis
  if (preFilterRejection) return preFilterRejection.reasons.join(', ')
  const others = otherNodesRejection && { rejection: otherNodesRejection, nodes: nodeCount - rejections.length }
  return countedReasons(rejections, others)
}

/** `1 Insufficient memory, 2 Insufficient cpu`, of one rejection for each node. @param others the same rejection for further nodes */
export function countedReasons(
  rejections: readonly PluginRejection[],
  others?: { readonly rejection: PluginRejection; readonly nodes: number },
): string {
  const counts = new Map<string, number>()
  const count = ({ reasons }: PluginRejection, nodes: number) => {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodes)
  }
  for (const rejection of rejections) count(rejection, 1)
  if (others && others.nodes > 0) count(others.rejection, others.nodes)
  return reasonsWithCounts(counts)
}

/** `1 Insufficient memory, 2 Insufficient cpu` */
export function reasonsWithCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .map(([reason, nodes]) => `${nodes} ${reason}`)
    .sort(compareText)
    .join(', ')
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
