import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { defineController, recordEvents } from '../definition.js'
import { possibleOwners } from '../pods/claiming.js'
import { compiledSelector } from '../pods/selectors.js'
import { controllerOf } from '../runtime/owners.js'
import { act } from './act.js'
import { decide } from './decide.js'
import { observe } from './observe.js'

/** Rolls out the template of each Deployment by means of ReplicaSets. */
export const definition = defineController({
  name: 'deployment-controller',
  alias: 'deployment',
  serviceAccount: 'deployment-controller',
  rules: [
    'get list update watch on deployments of apps extensions',
    'update on deployments/status of apps extensions',
    'update on deployments/finalizers of apps extensions',
    'create delete get list patch update watch on replicasets of apps extensions',
    'get list update watch on pods of core',
    recordEvents,
  ],
  create: (controller) =>
    controller
      .for(Deployment)
      .owns(ReplicaSet)
      .watches(
        ReplicaSet,
        possibleOwners(Deployment, ({ spec }) => compiledSelector(spec.selector)),
      )
      .watches(Pod, waitingDeployment)
      .workers(5)
      .reconcile({ observe, decide, act }),
})

/** A Deployment with the strategy Recreate waits until the last old pod is gone. No other Deployment depends on single pods. */
function* waitingDeployment({ type, object }: Change<Pod>, informers: SharedInformers): Iterable<string> {
  const owner = type === 'deleted' ? controllerOf(object) : undefined
  if (owner?.kind !== 'ReplicaSet') return
  const { namespace } = object.metadata
  const replicaSet = informers.of(ReplicaSet).get(`${namespace}/${owner.name}`)
  const key = `${namespace}/${replicaSet && controllerOf(replicaSet)?.name}`
  const deployment = informers.of(Deployment).get(key)
  if (deployment?.spec.strategy?.type === 'Recreate') yield key
}
