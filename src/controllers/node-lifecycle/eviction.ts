import { Node } from '../../api/core/v1/node.js'
import { formatTime } from '../../schema/values/time.js'
import { readyConditionOf } from '../nodes/conditions.js'
import { changeTaints, type TaintName } from '../nodes/taints.js'
import type { ActResult, ReconcileContext, ReconcileSteps } from '../runtime/reconcile.js'
import type { LifecycleState } from './lifecycle-state.js'
import { zoneMetrics } from './metrics.js'

/** Taints that evict the pods of a node. A node has at most one of them. */
export const notReadyTaint: TaintName = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }
export const unreachableTaint: TaintName = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }

export interface ZoneEvictionObservation {
  readonly zone: string
  /** The first node in the queue of the zone, and the object if it still exists. */
  readonly name: string
  readonly node: Node | undefined
  /** Milliseconds until the zone may lose its next node; infinite while it may lose none. */
  readonly wait: number
}

export type ZoneEvictionDecision =
  /** The node needs no taint: it is ready, or gone. */
  | { readonly do: 'skip' }
  | { readonly do: 'wait'; readonly milliseconds: number }
  | { readonly do: 'taint'; readonly add: readonly TaintName[]; readonly remove: readonly TaintName[] }

/** Taints the queued nodes of a zone, as fast as the state of the zone allows. The key is the zone. */
export function zoneEviction(state: LifecycleState): ReconcileSteps<ZoneEvictionObservation, ZoneEvictionDecision> {
  const observe = (zone: string, context: ReconcileContext) => observeFirst(zone, state, context)
  return {
    observe: async (zone, context) => observe(zone, context),
    decide,
    async act(decision, { zone, name, node }, context): Promise<ActResult<ZoneEvictionObservation> | undefined> {
      if (decision.do === 'wait')
        return Number.isFinite(decision.milliseconds) ? { requeueAfter: decision.milliseconds } : undefined
      if (decision.do === 'taint' && node) await taint(node, decision, { zone, state, context })
      state.zones.queue(zone).remove(name)
      const observation = observe(zone, context)
      return observation && { observation }
    },
  }
}

/** Undefined if the queue is empty. */
function observeFirst(
  zone: string,
  { zones }: LifecycleState,
  { informers, environment }: ReconcileContext,
): ZoneEvictionObservation | undefined {
  const queue = zones.queue(zone)
  const name = queue.first
  if (name === undefined) return undefined
  return { zone, name, node: informers.of(Node).get(name), wait: queue.wait(environment.clock.monotonic()) }
}

export function decide({ node, wait }: ZoneEvictionObservation): ZoneEvictionDecision {
  const status = node && readyConditionOf(node)?.status
  if (status !== 'False' && status !== 'Unknown') return { do: 'skip' }
  if (wait > 0) return { do: 'wait', milliseconds: wait }
  return { do: 'taint', ...evictionTaints(status) }
}

/** `status` is that of the condition Ready. */
export function evictionTaints(status: string): {
  readonly add: TaintName[]
  readonly remove: TaintName[]
} {
  return status === 'False'
    ? { add: [notReadyTaint], remove: [unreachableTaint] }
    : { add: [unreachableTaint], remove: [notReadyTaint] }
}

interface ZoneContext {
  readonly zone: string
  readonly state: LifecycleState
  readonly context: ReconcileContext
}

async function taint(
  node: Node,
  { add, remove }: ZoneEvictionDecision & { readonly do: 'taint' },
  { zone, state, context }: ZoneContext,
): Promise<void> {
  const { clock, metrics } = context.environment
  state.zones.queue(zone).pass(clock.monotonic())
  await changeTaints(context.client, node, { add, remove, now: formatTime(clock.now()) })
  zoneMetrics(metrics).evicted(zone)
}
