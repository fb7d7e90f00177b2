import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { StatefulSet } from '../../api/apps/v1/stateful-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import { isSame } from '../../api/validation/immutability.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { defineController, recordEvents } from '../definition.js'
import { isReady } from '../pods/readiness.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import { combinedController } from '../runtime/loop.js'
import type { Controller } from '../runtime/reconcile.js'
import { act } from './act.js'
import { decide } from './decide.js'
import { observe } from './observe.js'
import { budgetsSelecting, overlaps } from './overlap.js'
import { staleConditions } from './stale-conditions.js'

/** Keeps in the status of each budget how many of its pods may be disrupted. */
export const definition = defineController({
  name: 'disruption-controller',
  alias: 'disruption',
  queue: 'disruption',
  eventSource: 'controllermanager',
  serviceAccount: 'disruption-controller',
  rules: [
    'get list watch on deployments of apps extensions',
    'get list watch on replicasets of apps extensions',
    'get list watch on replicationcontrollers of core',
    'get list watch on poddisruptionbudgets of policy',
    'get list watch on statefulsets of apps',
    'update on poddisruptionbudgets/status of policy',
    'patch update on pods/status of core',
    'get on */scale of *',
    recordEvents,
  ],
  create: disruptionController,
})

function disruptionController(builder: ControllerBuilder): Controller {
  const budgets = builder
    .for(PodDisruptionBudget)
    .watches(Pod, budgetsOfPod)
    .watches(ReplicationController)
    .watches(ReplicaSet)
    .watches(Deployment)
    .watches(StatefulSet)
    .workers(1)
    .reconcile({ observe, decide, act })
  return combinedController('disruption-controller', [budgets, overlaps, staleConditions])
}

/** The budgets that select a pod, and those that selected it before. Most changes of a pod do not change the counts. */
function* budgetsOfPod({ type, object, old }: Change<Pod>, informers: SharedInformers): Iterable<string> {
  const { namespace = '', labels = {} } = object.metadata
  const hasOtherLabels = old !== undefined && !isSame(labels, old.metadata.labels ?? {})
  if (type === 'updated' && old && !hasOtherLabels && countsTheSame(object, old)) return
  for (const budget of budgetsSelecting(informers, namespace, labels)) yield keyOf(budget)
  if (hasOtherLabels)
    for (const budget of budgetsSelecting(informers, namespace, old.metadata.labels ?? {})) yield keyOf(budget)
}

function countsTheSame(pod: Pod, old: Pod): boolean {
  return (
    isReady(pod) === isReady(old) &&
    pod.metadata.deletionTimestamp === old.metadata.deletionTimestamp &&
    isSame(pod.metadata.ownerReferences, old.metadata.ownerReferences)
  )
}
