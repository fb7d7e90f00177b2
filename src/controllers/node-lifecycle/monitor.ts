import { Lease } from '../../api/coordination/v1/lease.js'
import { Node } from '../../api/core/v1/node.js'
import { hasReason } from '../../api/errors.js'
import { formatTime } from '../../schema/values/time.js'
import { recordNodeEvent, recordNodeStatus } from '../nodes/node-events.js'
import { changeTaints, hasTaint } from '../nodes/taints.js'
import { zoneKeyOf } from '../nodes/zones.js'
import { podsOnNode } from '../pods/pod-indexes.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { checkHealth, type HealthCheck } from './health.js'
import type { LifecycleState } from './memory.js'
import { zoneMetrics } from './metrics.js'
import { notReadyTaint, unreachableTaint } from './no-execute.js'
import { markPodsNotReady } from './pods-not-ready.js'
import type { ReadyStatuses } from './zones.js'

const lookedAtAtOnce = 8
const triesAtMost = 5

/** A node with this label, whatever its value, does not count when a zone is judged. */
const excludedLabel = 'node.kubernetes.io/exclude-disruption'

/** Looks at all nodes: who is new, who has gone, who has fallen silent, and what that says of their zones. */
export async function lookAtNodes(context: ReconcileContext, memory: LifecycleState): Promise<void> {
  const nodes = [...context.informers.of(Node).list()]
  await welcome(nodes, context, memory)
  const seen = new Map<string, HealthCheck['current'][]>()
  await forEachConcurrently(nodes, lookedAtAtOnce, async (node) => {
    try {
      const examined = await examineAndWrite(node, context, memory)
      count(seen, node, examined)
      if (examined.current !== undefined) await react(node, examined, { context, memory })
    } catch (error) {
      context.environment.log.warn('not all could be done for a node', { node: node.metadata.name, error })
    }
  })
  await judgeZones(seen, nodes, { context, memory })
}

function count(seen: Map<string, HealthCheck['current'][]>, node: Node, { current }: HealthCheck): void {
  if (node.metadata.labels?.[excludedLabel] !== undefined) return
  const zone = zoneKeyOf(node)
  const statuses = seen.get(zone) ?? []
  seen.set(zone, statuses)
  statuses.push(current)
}

async function welcome(nodes: readonly Node[], context: ReconcileContext, memory: LifecycleState): Promise<void> {
  const names = new Set(nodes.map(({ metadata }) => metadata.name!))
  for (const node of nodes) {
    const name = node.metadata.name!
    if (memory.nodes.has(name)) continue
    recordNodeEvent(context.events, node, 'RegisteredNode', `Registered Node ${name} in Controller`)
    memory.nodes.set(name, node)
    await setReachable(node, context, memory)
  }
  for (const [name, node] of memory.nodes) {
    if (names.has(name)) continue
    recordNodeEvent(context.events, node, 'RemovingNode', `Removing Node ${name} from Controller`)
    memory.forget(name)
  }
}

async function react(node: Node, examined: HealthCheck, { context, memory }: Around): Promise<void> {
  const name = node.metadata.name!
  const hasFallenSilent = examined.observed === 'True' && examined.current !== 'True'
  if (hasFallenSilent) memory.unmarked.add(name)
  await followUp(node, examined, { context, memory })
  if (hasFallenSilent) recordNodeStatus(context.events, node, 'NodeNotReady')
  if (examined.current !== 'True' && memory.unmarked.has(name))
    await markPodsNotReady(podsOnNode(context.informers, name), context)
  memory.unmarked.delete(name)
}

/** Says for a silent node what it cannot say itself. Only the server knows whether it is still silent, if somebody wrote meanwhile. */
async function examineAndWrite(node: Node, context: ReconcileContext, memory: LifecycleState): Promise<HealthCheck> {
  const { client, informers, environment } = context
  const name = node.metadata.name!
  let current = node
  for (let tries = 1; ; tries++) {
    const lease = informers.of(Lease).get(`kube-node-lease/${name}`)
    const known = memory.health.get(name)
    const examined = checkHealth(current, { lease, known, clock: environment.clock, ...memory.patience })
    try {
      if (examined.conditions) {
        const status = { ...current.status, conditions: examined.conditions }
        await client
          .resource(Node)
          .subresource('status')
          .update({ ...current, status })
      }
      memory.health.set(name, examined.health)
      return examined
    } catch (error) {
      if (!hasReason(error, 'Conflict') || tries === triesAtMost) throw error
      current = await client.resource(Node).get(name)
    }
  }
}

interface Around {
  readonly context: ReconcileContext
  readonly memory: LifecycleState
}

/** By what the node said before this look: one that was ready is given up no sooner than at the second look that finds it silent. */
async function followUp(node: Node, { observed }: HealthCheck, { context, memory }: Around): Promise<void> {
  if (observed === 'True') return setReachable(node, context, memory)
  const [wanted, opposite] =
    observed === 'False' ? [notReadyTaint, unreachableTaint] : [unreachableTaint, notReadyTaint]
  const { taints } = node.spec
  const now = formatTime(context.environment.clock.now())
  if (hasTaint(taints, opposite)) await changeTaints(context.client, node, { add: [wanted], remove: [opposite], now })
  else if (!hasTaint(taints, wanted)) memory.zones.queue(zoneKeyOf(node)).add(node.metadata.name!)
}

async function setReachable(
  node: Node,
  { client, environment }: ReconcileContext,
  memory: LifecycleState,
): Promise<void> {
  const now = formatTime(environment.clock.now())
  await changeTaints(client, node, { remove: [unreachableTaint, notReadyTaint], now })
  memory.zones.queue(zoneKeyOf(node)).remove(node.metadata.name!)
}

async function judgeZones(
  seen: ReadonlyMap<string, ReadyStatuses>,
  nodes: readonly Node[],
  { context, memory }: Around,
): Promise<void> {
  const { clock, metrics, log } = context.environment
  for (const zone of memory.zones.keys()) zoneMetrics(metrics).seen(zone, seen.get(zone) ?? [])
  const turn = memory.zones.update(seen, clock.monotonic())
  if (turn) log.info(turn === 'all lost' ? 'no node is ready: nothing is given up' : 'some nodes are ready again')
  if (turn === 'all lost') for (const node of nodes) await setReachable(node, context, memory)
  // Who was not heard because nobody was gets as much time as if it had just been.
  if (turn === 'some found again')
    for (const [name, health] of memory.health) memory.health.set(name, { ...health, aliveAt: clock.monotonic() })
}
