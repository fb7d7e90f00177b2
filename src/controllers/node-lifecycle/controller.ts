import { Lease } from '../../api/coordination/v1/lease.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { decimal, duration, integer } from '../../base/flags/flag-types.js'
import { defineController } from '../definition.js'
import { nodeServiceAccount } from '../nodes/service-account.js'
import { controller } from '../runtime/builder.js'
import { combinedController } from '../runtime/loop.js'
import { type Controller, reconcileInSteps } from '../runtime/reconcile.js'
import { conditionTaints } from './condition-taints.js'
import { zoneEviction } from './eviction.js'
import { LifecycleState } from './lifecycle-state.js'
import { healthMonitor } from './monitor.js'
import { newlyBoundPods } from './unready-pods.js'

/** Detects nodes without heartbeat, sets their conditions to Unknown, keeps new pods away from them and evicts the pods that they have. */
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
    const state = new LifecycleState(rates, {
      grace: flags['node-monitor-grace-period'],
      startupGrace: flags['node-startup-grace-period'],
    })
    return combinedController('node-lifecycle-controller', [
      conditionTaints(builder),
      monitor(state, flags['node-monitor-period']),
      newlyBoundPods(state),
    ])
  },
})

/** The key under which all nodes are checked. */
const health = 'health'
const zonePrefix = 'zone '

/** Checks all nodes periodically. Every zone has a key of its own, for its evictions. */
function monitor(state: LifecycleState, period: number): Controller {
  const check = reconcileInSteps(healthMonitor(state, period))
  const evict = reconcileInSteps(zoneEviction(state))
  return controller('node_lifecycle_controller_health')
    .watches(Node)
    .watches(Pod)
    .watches(Lease)
    .startingWith(health)
    .workers(2)
    .reconcile(async (key, context) => {
      if (key !== health) return evict(key.slice(zonePrefix.length), context)
      const result = await check(key, context)
      for (const zone of state.zones.keys()) context.enqueue(`${zonePrefix}${zone}`)
      return result
    })
}
