import { Node } from '../../api/core/v1/node.js'
import { formatTime } from '../../schema/values/time.js'
import { readyConditionOf } from '../nodes/conditions.js'
import type { TaintName } from '../nodes/taints.js'
import { changeTaints } from '../nodes/taints.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import type { LifecycleState } from './memory.js'
import { zoneMetrics } from './metrics.js'

/** Taints that drive pods away, of which a node has at most one. */
export const notReadyTaint: TaintName = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }
export const unreachableTaint: TaintName = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }

/** Gives up the nodes of a zone that wait for it, as fast as the state of the zone allows. */
export async function evictFromNodes(
  zone: string,
  context: ReconcileContext,
  memory: LifecycleState,
): Promise<ReconcileResult | undefined> {
  const queue = memory.zones.queue(zone)
  const { clock, metrics } = context.environment
  for (let name = queue.first; name !== undefined; name = queue.first) {
    const node = context.informers.of(Node).get(name)
    const taints = node && taintsFor(node)
    if (taints) {
      const wait = queue.wait(clock.monotonic())
      if (wait > 0) return Number.isFinite(wait) ? { requeueAfter: wait } : undefined
      queue.pass(clock.monotonic())
      await changeTaints(context.client, node, { ...taints, now: formatTime(clock.now()) })
      zoneMetrics(metrics).evicted(zone)
    }
    queue.remove(name)
  }
  return undefined
}

/** Undefined for a node that is ready after all. */
function taintsFor(node: Node): { readonly add: TaintName[]; readonly remove: TaintName[] } | undefined {
  const status = readyConditionOf(node)?.status
  if (status === 'False') return { add: [notReadyTaint], remove: [unreachableTaint] }
  return status === 'Unknown' ? { add: [unreachableTaint], remove: [notReadyTaint] } : undefined
}
