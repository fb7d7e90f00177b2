import { Lease } from '../../api/coordination/v1/lease.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { combinedController } from '../runtime/together.js'
import { conditionTaints } from './condition-taints.js'
import { LifecycleMemory } from './memory.js'
import { lookAtNodes } from './monitor.js'
import { giveUpNodes } from './no-execute.js'
import { markNotReady } from './pods-not-ready.js'

/** Times are milliseconds, rates are nodes per second. */
export interface NodeLifecycleOptions {
  readonly period?: number | undefined
  readonly grace?: number | undefined
  readonly startupGrace?: number | undefined
  readonly evictionRate?: number | undefined
  readonly secondaryEvictionRate?: number | undefined
  readonly largeZone?: number | undefined
  readonly unhealthyThreshold?: number | undefined
}

/** Notices nodes that fall silent, says so for them, keeps pods away from them and drives those away that are there. */
export function nodeLifecycleController(options: NodeLifecycleOptions = {}): Controller {
  const { period = 5000, grace = 50_000, startupGrace = 60_000 } = options
  const { evictionRate = 0.1, secondaryEvictionRate = 0.01, largeZone = 50, unhealthyThreshold = 0.55 } = options
  const rates = { usual: evictionRate, reduced: secondaryEvictionRate, largeZone, lostPart: unhealthyThreshold }
  const memory = new LifecycleMemory(rates, { grace, startupGrace })
  return combinedController('node-lifecycle-controller', [conditionTaints, monitor(memory, period), newPods(memory)])
}

const health = 'health'
const zonePrefix = 'zone '

/** Looks at all nodes again and again; what comes of it for each zone is looked at under a key of its own. */
function monitor(memory: LifecycleMemory, period: number): Controller {
  const nothing = () => []
  return controller('node_lifecycle_controller_health')
    .watches(Node, nothing)
    .watches(Pod, nothing)
    .watches(Lease, nothing)
    .startingWith(health)
    .workers(2)
    .reconcile((key, context) =>
      key === health ? look(context, memory, period) : giveUpNodes(key.slice(zonePrefix.length), context, memory),
    )
}

async function look(context: ReconcileContext, memory: LifecycleMemory, period: number): Promise<ReconcileResult> {
  await lookAtNodes(context, memory)
  for (const zone of memory.zones.keys()) context.enqueue(`${zonePrefix}${zone}`)
  return { requeueAfter: period }
}

/** A pod may be bound to a node just when that falls silent: then nobody has marked it yet. */
function newPods(memory: LifecycleMemory): Controller {
  return controller('node_lifecycle_controller_pods')
    .watches(Pod, concernsNewlyBound)
    .workers(4)
    .reconcile(async (key, context) => {
      const pod = context.informers.of(Pod).get(key)
      const ready = memory.health.get(pod?.spec.nodeName ?? '')?.ready
      if (pod && ready && ready.status !== 'True') await markNotReady([pod], context)
    })
}

function concernsNewlyBound({ type, object, old }: Change<Pod>): readonly string[] {
  const isBound = type !== 'deleted' && object.spec.nodeName && object.spec.nodeName !== old?.spec.nodeName
  return isBound ? [keyOf(object)] : []
}
