import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { defineController, recordEvents } from '../definition.js'
import { possibleOwners } from '../pods/claiming.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import { controllerOf } from '../runtime/owners.js'
import type { Controller, ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import type { Said } from './conditions.js'
import { conditionOf } from './conditions.js'
import { isRollingUpdate } from './fenceposts.js'
import { Look } from './look.js'
import { noteRevision } from './new-replica-set.js'
import { nextProgressCheck, progressDeadline } from './progress.js'
import { recreate } from './recreate.js'
import { claimedReplicaSets, type ReplicaSets, sorted } from './replica-sets.js'
import { rollBack, rollbackRevision } from './rollback.js'
import { rollingUpdate } from './rolling-update.js'
import { isScaled, scaleOnly } from './scaling.js'
import { deploymentStatus } from './status.js'

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
  create: deploymentController,
})

function deploymentController(builder: ControllerBuilder): Controller {
  return builder
    .for(Deployment)
    .owns(ReplicaSet)
    .watches(
      ReplicaSet,
      possibleOwners(Deployment, ({ spec }) => compiledSelector(spec.selector)),
    )
    .watches(Pod, concernsWaiting)
    .workers(5)
    .reconcile(async (key, context) => {
      const deployment = context.informers.of(Deployment).get(key)
      return deployment && lookAt(deployment, context)
    })
}

/** A Deployment that recreates its pods waits for the last of the old ones to go; no other has to do with single pods. */
function* concernsWaiting({ type, object }: Change<Pod>, informers: SharedInformers): Iterable<string> {
  const owner = type === 'deleted' ? controllerOf(object) : undefined
  if (owner?.kind !== 'ReplicaSet') return
  const { namespace } = object.metadata
  const replicaSet = informers.of(ReplicaSet).get(`${namespace}/${owner.name}`)
  const key = `${namespace}/${replicaSet && controllerOf(replicaSet)?.name}`
  const deployment = informers.of(Deployment).get(key)
  if (deployment?.spec.strategy?.type === 'Recreate') yield key
}

async function lookAt(deployment: Deployment, context: ReconcileContext): Promise<ReconcileResult | undefined> {
  const look = new Look(deployment, context)
  if (compiledSelector(deployment.spec.selector).isEmpty) return refuse(look)
  const replicaSets = sorted(deployment, await claimedReplicaSets(deployment, context))
  if (deployment.metadata.deletionTimestamp) return onlyTell(look, replicaSets)
  await notePause(look)
  const revision = rollbackRevision(deployment)
  if (deployment.spec.paused) await scaleOnly(look, replicaSets)
  else if (revision !== undefined) await rollBack(look, replicaSets, revision)
  else if (isScaled(deployment, replicaSets)) await scaleOnly(look, replicaSets)
  else return rollOut(look, replicaSets)
  return undefined
}

async function rollOut(look: Look, replicaSets: ReplicaSets): Promise<ReconcileResult | undefined> {
  if (isRollingUpdate(look.deployment)) await rollingUpdate(look, replicaSets)
  else await recreate(look, replicaSets)
  const requeueAfter = nextProgressCheck(look.deployment, look.now)
  return requeueAfter === undefined ? undefined : { requeueAfter }
}

async function refuse(look: Look): Promise<undefined> {
  const { metadata, status } = look.deployment
  const message = 'This deployment is selecting all pods. A non-empty selector is required.'
  look.tell('Warning', 'SelectingAll', message)
  const observedGeneration = Math.max(metadata.generation ?? 0, status.observedGeneration ?? 0)
  await look.writeStatus({ ...status, ...(observedGeneration > 0 && { observedGeneration }) })
}

/** One that goes makes nothing more; the garbage collector takes what it has made. */
async function onlyTell(look: Look, replicaSets: ReplicaSets): Promise<undefined> {
  const noted = await noteRevision(look, replicaSets)
  await look.writeStatus(deploymentStatus(look.deployment, noted, look.now))
}

const paused: Said = {
  type: 'Progressing',
  status: 'Unknown',
  reason: 'DeploymentPaused',
  message: 'Deployment is paused',
}
const resumed: Said = { ...paused, reason: 'DeploymentResumed', message: 'Deployment is resumed' }

/** While it is paused nobody expects progress, and the deadline begins anew when it goes on. */
async function notePause(look: Look): Promise<void> {
  const { deployment } = look
  const known = conditionOf(deployment.status, 'Progressing')?.reason
  if (progressDeadline(deployment) === undefined || known === 'ProgressDeadlineExceeded') return
  const isKnown = known === paused.reason
  if (deployment.spec.paused && !isKnown) await look.writeStatus(look.statusWith(paused))
  if (!deployment.spec.paused && isKnown) await look.writeStatus(look.statusWith(resumed))
}
