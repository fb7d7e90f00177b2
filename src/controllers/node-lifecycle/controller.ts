import { Lease } from '../../api/coordination/v1/lease.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { decimal, duration, integer } from '../../base/flags/flag-types.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import { defineController } from '../definition.js'
import { nodeServiceAccount } from '../nodes/service-account.js'
import { controller } from '../runtime/builder.js'
import { combinedController } from '../runtime/loop.js'
import type { Controller, ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { conditionTaints } from './condition-taints.js'
import { LifecycleState } from './memory.js'
import { lookAtNodes } from './monitor.js'
import { evictFromNodes } from './no-execute.js'
import { markPodsNotReady } from './pods-not-ready.js'

/** Notices nodes that fall silent, says so for them, keeps pods away from them and drives those away that are there. */
export const definition = defineController({
  name: 'node-lifecycle-controller',
  alias: 'nodelifecycle',
  queue: 'node_lifecycle_controller',
  eventSource: 'node-controller',
  ...nodeServiceAccount,
  flags: {
    'node-monitor-period': duration('How often the controller checks all nodes.', { initial: 5_000 }),
    'node-monitor-grace-period': duration('A node without heartbeat for this long counts as lost.', {
      initial: 50_000,
    }),
    'node-startup-grace-period': duration('The same for a node that has just been registered.', { initial: 60_000 }),
    'node-eviction-rate': decimal('From how many lost nodes a second pods are evicted.', {
      placeholder: 'NODES',
      initial: 0.1,
    }),
    'secondary-node-eviction-rate': decimal('The same while much of a large zone is lost.', {
      placeholder: 'NODES',
      initial: 0.01,
    }),
    'large-cluster-size-threshold': integer('A zone with more nodes is large.', { placeholder: 'NODES', initial: 50 }),
    'unhealthy-zone-threshold': decimal('Much of a zone is lost if this part of its nodes is.', {
      placeholder: 'PART',
      initial: 0.55,
    }),
  },
  create(builder, { flags }) {
    const rates = {
      usual: flags['node-eviction-rate'],
      reduced: flags['secondary-node-eviction-rate'],
      largeZone: flags['large-cluster-size-threshold'],
      lostPart: flags['unhealthy-zone-threshold'],
    }
    const grace = flags['node-monitor-grace-period']
    const memory = new LifecycleState(rates, { grace, startupGrace: flags['node-startup-grace-period'] })
    return combinedController('node-lifecycle-controller', [
      conditionTaints(builder),
      monitor(memory, flags['node-monitor-period']),
      newPods(memory),
    ])
  },
})

const health = 'health'
const zonePrefix = 'zone '

/** Looks at all nodes again and again; what comes of it for each zone is looked at under a key of its own. */
function monitor(memory: LifecycleState, period: number): Controller {
  const nothing = () => []
  return controller('node_lifecycle_controller_health')
    .watches(Node, nothing)
    .watches(Pod, nothing)
    .watches(Lease, nothing)
    .startingWith(health)
    .workers(2)
    .reconcile((key, context) =>
      key === health ? look(context, memory, period) : evictFromNodes(key.slice(zonePrefix.length), context, memory),
    )
}

async function look(context: ReconcileContext, memory: LifecycleState, period: number): Promise<ReconcileResult> {
  await lookAtNodes(context, memory)
  for (const zone of memory.zones.keys()) context.enqueue(`${zonePrefix}${zone}`)
  return { requeueAfter: period }
}

/** A pod may be bound to a node just when that falls silent: then nobody has marked it yet. */
function newPods(memory: LifecycleState): Controller {
  return controller('node_lifecycle_controller_pods')
    .watches(Pod, concernsNewlyBound)
    .workers(4)
    .reconcile(async (key, context) => {
      const pod = context.informers.of(Pod).get(key)
      const ready = memory.health.get(pod?.spec.nodeName ?? '')?.ready
      if (pod && ready && ready.status !== 'True') await markPodsNotReady([pod], context)
    })
}

function concernsNewlyBound({ type, object, old }: Change<Pod>): readonly string[] {
  const isBound = type !== 'deleted' && object.spec.nodeName && object.spec.nodeName !== old?.spec.nodeName
  return isBound ? [keyOf(object)] : []
}
