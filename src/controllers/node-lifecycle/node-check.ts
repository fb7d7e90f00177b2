import { Lease } from '../../api/coordination/v1/lease.js'
import type { NodeCondition } from '../../api/core/v1/node/status.js'
import { Node } from '../../api/core/v1/node.js'
import { hasReason } from '../../api/errors.js'
import { formatTime } from '../../schema/values/time.js'
import { recordNodeStatus } from '../nodes/node-events.js'
import { changeTaints, hasTaint, type TaintName } from '../nodes/taints.js'
import { zoneKeyOf } from '../nodes/zones.js'
import { podsOnNode } from '../pods/pod-indexes.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { evictionTaints, notReadyTaint, unreachableTaint } from './eviction.js'
import type { LifecycleState } from './lifecycle-state.js'
import { checkHealth, type HealthCheckInput, type NodeHealth } from './node-health.js'
import { markPodsNotReady } from './unready-pods.js'

const maxAttempts = 5

export interface NodeObservation extends HealthCheckInput {
  /** As the informer shows it. */
  readonly node: Node
  /** The same, or newer: read from the server after a conflict. */
  readonly latest: Node
  /** Whether pods of the node are still to be marked as not ready, since an earlier check. */
  readonly isUnmarked: boolean
}

export interface NodeDecision {
  readonly health: NodeHealth
  /** The status of the condition Ready; undefined if the node has no such condition. */
  readonly ready: NodeCondition['status'] | undefined
  /** The conditions to write, because the node has sent no heartbeat for too long. */
  readonly conditions?: readonly NodeCondition[]
  /** Undefined if the status of the node is unknown and stays so for now. */
  readonly followUp?: NodeFollowUp
}

/** What follows from the health of a node. */
export interface NodeFollowUp extends EvictionChange {
  /** It was ready until this check. */
  readonly hasBecomeUnready: boolean
  readonly marksPods: boolean
}

interface EvictionChange {
  readonly taints?: { readonly add?: readonly TaintName[]; readonly remove: readonly TaintName[] }
  /** Adds the node to the eviction queue of its zone, or removes it from there. */
  readonly queue?: 'add' | 'remove'
}

/**
 * Decides on taints by the status before this check: a node that was ready is queued for eviction no sooner than at the second check that
 * finds it not ready.
 */
export function decide({ node, latest, isUnmarked, ...input }: NodeObservation): NodeDecision {
  const { health, observed, current: ready, conditions } = checkHealth(latest, input)
  const decision = { health, ready, ...(conditions && { conditions }) }
  if (ready === undefined) return decision
  const hasBecomeUnready = observed === 'True' && ready !== 'True'
  const marksPods = ready !== 'True' && (hasBecomeUnready || isUnmarked)
  return { ...decision, followUp: { hasBecomeUnready, marksPods, ...evictionChange(node, observed) } }
}

function evictionChange({ spec }: Node, ready: NodeCondition['status']): EvictionChange {
  if (ready === 'True') return reachable
  const taints = evictionTaints(ready)
  if (taints.remove.some((taint) => hasTaint(spec.taints, taint))) return { taints }
  return taints.add.some((taint) => hasTaint(spec.taints, taint)) ? {} : { queue: 'add' }
}

const reachable: EvictionChange = { taints: { remove: [unreachableTaint, notReadyTaint] }, queue: 'remove' }

/**
 * Checks the health of a node, and sets its conditions to Unknown if it has sent no heartbeat for too long. Decides again after a conflict:
 * the other writer may have been the node itself.
 */
export async function checkNodeHealth(
  node: Node,
  context: ReconcileContext,
  state: LifecycleState,
): Promise<NodeDecision> {
  const nodes = context.client.resource(Node)
  const name = node.metadata.name!
  let latest = node
  for (let attempt = 1; ; attempt++) {
    const decision = decide(observe(node, latest, { context, state }))
    try {
      if (decision.conditions) {
        const status = { ...latest.status, conditions: decision.conditions }
        await nodes.subresource('status').update({ ...latest, status })
      }
      state.health.set(name, decision.health)
      return decision
    } catch (error) {
      if (!hasReason(error, 'Conflict') || attempt === maxAttempts) throw error
      latest = await nodes.get(name)
    }
  }
}

export interface CheckContext {
  readonly context: ReconcileContext
  readonly state: LifecycleState
}

function observe(node: Node, latest: Node, { context, state }: CheckContext): NodeObservation {
  const { informers, environment } = context
  const name = node.metadata.name!
  return {
    node,
    latest,
    lease: informers.of(Lease).get(`kube-node-lease/${name}`),
    known: state.health.get(name),
    isUnmarked: state.unmarked.has(name),
    now: environment.clock.now(),
    uptime: environment.clock.monotonic(),
    ...state.gracePeriods,
  }
}

/** Changes taints, the eviction queue and pods as decided. Throws if pods could not be marked; the next check tries again. */
export async function followUp(
  node: Node,
  { hasBecomeUnready, marksPods, ...eviction }: NodeFollowUp,
  { context, state }: CheckContext,
): Promise<void> {
  const name = node.metadata.name!
  if (hasBecomeUnready) state.unmarked.add(name)
  await changeEviction(node, eviction, { context, state })
  if (hasBecomeUnready) recordNodeStatus(context.events, node, 'NodeNotReady')
  if (marksPods) await markPodsNotReady(podsOnNode(context.informers, name), context)
  state.unmarked.delete(name)
}

/** Removes the taints that evict pods, and the node from the eviction queue. */
export function setReachable(node: Node, checkContext: CheckContext): Promise<void> {
  return changeEviction(node, reachable, checkContext)
}

async function changeEviction(
  node: Node,
  { taints, queue }: EvictionChange,
  { context, state }: CheckContext,
): Promise<void> {
  const now = formatTime(context.environment.clock.now())
  if (taints) await changeTaints(context.client, node, { ...taints, now })
  if (queue) state.zones.queue(zoneKeyOf(node))[queue](node.metadata.name!)
}
