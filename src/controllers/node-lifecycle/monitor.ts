import { Node } from '../../api/core/v1/node.js'
import { recordNodeEvent } from '../nodes/node-events.js'
import { zoneKeyOf } from '../nodes/zones.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { ReconcileSteps } from '../runtime/reconcile.js'
import type { LifecycleState } from './lifecycle-state.js'
import { zoneMetrics } from './metrics.js'
import { type CheckContext, checkNodeHealth, followUp, setReachable } from './node-check.js'
import { decide, type ReadyStatuses, type ZonesDecision, type ZonesObservation, type ZonesTransition } from './zones.js'

const concurrentChecks = 8

/** A node with this label, whatever its value, does not count for the state of its zone. */
const excludedLabel = 'node.kubernetes.io/exclude-disruption'

interface MonitorObservation extends ZonesObservation {
  readonly nodes: readonly Node[]
}

/** Checks all nodes, and decides on the state of their zones by the results. */
export function healthMonitor(
  state: LifecycleState,
  period: number,
): ReconcileSteps<MonitorObservation, ZonesDecision> {
  return {
    async observe(_key, context) {
      const nodes = [...context.informers.of(Node).list()]
      await updateRegistrations(nodes, { context, state })
      const statuses = await checkNodes(nodes, { context, state })
      return { nodes, statuses, before: state.zones.states, rates: state.zones.rates }
    },
    decide,
    async act({ zones, transition }, { nodes, statuses }, context) {
      const { clock, metrics } = context.environment
      for (const zone of state.zones.keys()) zoneMetrics(metrics).seen(zone, statuses.get(zone) ?? [])
      state.zones.apply(zones, clock.monotonic())
      if (transition) await handleTransition(transition, nodes, { context, state })
      return { requeueAfter: period }
    },
  }
}

/** Records which nodes are new and which are gone. */
async function updateRegistrations(nodes: readonly Node[], { context, state }: CheckContext): Promise<void> {
  const names = new Set(nodes.map(({ metadata }) => metadata.name!))
  for (const node of nodes) {
    const name = node.metadata.name!
    if (state.nodes.has(name)) continue
    recordNodeEvent(context.events, node, 'RegisteredNode', `Registered Node ${name} in Controller`)
    state.nodes.set(name, node)
    await setReachable(node, { context, state })
  }
  for (const [name, node] of state.nodes) {
    if (names.has(name)) continue
    recordNodeEvent(context.events, node, 'RemovingNode', `Removing Node ${name} from Controller`)
    state.forget(name)
  }
}

/** Returns the statuses of the nodes by zone, without the nodes whose check failed. */
async function checkNodes(
  nodes: readonly Node[],
  { context, state }: CheckContext,
): Promise<ReadonlyMap<string, ReadyStatuses>> {
  const statuses = new Map<string, ReadyStatuses[number][]>()
  await forEachConcurrently(nodes, concurrentChecks, async (node) => {
    try {
      const decision = await checkNodeHealth(node, context, state)
      if (node.metadata.labels?.[excludedLabel] === undefined) add(statuses, zoneKeyOf(node), decision.ready)
      if (decision.followUp) await followUp(node, decision.followUp, { context, state })
    } catch (error) {
      context.environment.log.warn('node check incomplete', { node: node.metadata.name, error })
    }
  })
  return statuses
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

async function handleTransition(
  transition: ZonesTransition,
  nodes: readonly Node[],
  { context, state }: CheckContext,
): Promise<void> {
  const { clock, log } = context.environment
  if (transition === 'all lost') {
    log.info('no node is ready; evictions suspended')
    for (const node of nodes) await setReachable(node, { context, state })
    return
  }
  log.info('a node is ready again; evictions resumed')
  // Heartbeats may have been lost on our side: every node gets its whole grace period again.
  for (const [name, health] of state.health) state.health.set(name, { ...health, aliveAt: clock.monotonic() })
}
