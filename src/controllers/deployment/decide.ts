import { compiledSelector } from '../pods/selectors.js'
import { type DeploymentAction, type DeploymentObservation, type Stage, statusUpdate, statusWith } from './actions.js'
import { type ConditionUpdate, deploymentCondition } from './conditions.js'
import { surplusReplicaSets } from './history.js'
import { newReplicaSet, recordRevision } from './new-replica-set.js'
import { nextProgressCheck, progressDeadline, rolloutStatus } from './progress.js'
import { hasReplicas, replicasOf } from './replica-sets.js'
import { rollBack, rollbackRevision } from './rollback.js'
import { nextScales } from './rolling-update.js'
import { desiredReplicas, isRollingUpdate } from './rollout-limits.js'
import { isScaled, scaledSizes } from './scaling.js'
import { deploymentStatus, isComplete } from './status.js'

export interface DeploymentDecision {
  /** To be done in this order. */
  readonly actions: readonly DeploymentAction[]
  /** The stages to decide on afterwards. */
  readonly stages: readonly Stage[]
  /** Milliseconds until the next check of the progress deadline. */
  readonly requeueAfter?: number
}

/** Decides on the next stage of the reconcile that needs an action. Undefined if none does. */
export function decide(observation: DeploymentObservation): DeploymentDecision | undefined {
  const [stage, ...stages] = observation.stages ?? stagesFor(observation)
  if (stage === undefined) return undefined
  if (stage === 'schedule progress check') {
    const requeueAfter = nextProgressCheck(observation.deployment, observation.now)
    return requeueAfter === undefined ? undefined : { actions: [], stages, requeueAfter }
  }
  const actions = actionsOf[stage](observation)
  return actions.length > 0 ? { actions, stages } : decide({ ...observation, stages })
}

/** A Deployment that is being deleted only gets its status: the garbage collector deletes what it owns. */
function stagesFor(observation: DeploymentObservation): readonly Stage[] {
  const { deployment, replicaSets } = observation
  if (compiledSelector(deployment.spec.selector).isEmpty) return ['reject empty selector']
  if (deployment.metadata.deletionTimestamp) return ['record revision', 'write status']
  return ['record pause', 'record revision', ...rolloutStages(observation, isScaled(deployment, replicaSets))]
}

function rolloutStages(
  { deployment, replicaSets, hasOldPods }: DeploymentObservation,
  isScaled: boolean,
): readonly Stage[] {
  if (deployment.spec.paused) return ['scale', 'write status']
  if (rollbackRevision(deployment) !== undefined) return ['create new ReplicaSet', 'roll back']
  if (isScaled) return ['scale', 'write status']
  const status = ['write rollout status', 'schedule progress check'] as const
  if (isRollingUpdate(deployment)) return ['create new ReplicaSet', 'rolling update', ...status]
  // Recreate: the new ReplicaSet gets pods when the last old pod is gone.
  if (replicaSets.old.some(hasReplicas)) return ['scale down old', ...status]
  return hasOldPods ? status : ['create new ReplicaSet', 'scale up new', ...status]
}

type StageDecision = (observation: DeploymentObservation) => readonly DeploymentAction[]

const actionsOf: Readonly<Record<Exclude<Stage, 'schedule progress check'>, StageDecision>> = {
  'reject empty selector': rejectEmptySelector,
  'record pause': recordPause,
  'record revision': recordRevision,
  'create new ReplicaSet': (observation) =>
    observation.replicaSets.current
      ? []
      : [{ do: 'create ReplicaSet', replicaSet: newReplicaSet(observation.deployment, observation.replicaSets.old) }],
  'roll back': rollBack,
  scale,
  'rolling update': rollingUpdate,
  'scale down old': ({ replicaSets: { old } }) =>
    old.filter(hasReplicas).map((replicaSet) => ({ do: 'scale ReplicaSet', replicaSet, replicas: 0 })),
  'scale up new': scaleUpNew,
  'write status': ({ deployment, replicaSets, now }) =>
    statusUpdate(deployment, deploymentStatus(deployment, replicaSets, now)),
  'write rollout status': ({ deployment, replicaSets, now }) =>
    statusUpdate(deployment, rolloutStatus(deployment, replicaSets, now)),
}

function rejectEmptySelector({ deployment }: DeploymentObservation): readonly DeploymentAction[] {
  const { metadata, status } = deployment
  const message = 'This deployment is selecting all pods. A non-empty selector is required.'
  const observedGeneration = Math.max(metadata.generation ?? 0, status.observedGeneration ?? 0)
  return [
    { do: 'record event', event: { type: 'Warning', reason: 'SelectingAll', message } },
    ...statusUpdate(deployment, { ...status, ...(observedGeneration > 0 && { observedGeneration }) }),
  ]
}

const paused: ConditionUpdate = {
  type: 'Progressing',
  status: 'Unknown',
  reason: 'DeploymentPaused',
  message: 'Deployment is paused',
}
const resumed: ConditionUpdate = { ...paused, reason: 'DeploymentResumed', message: 'Deployment is resumed' }

/** A paused Deployment makes no progress, so the deadline starts again when it is resumed. */
function recordPause(observation: DeploymentObservation): readonly DeploymentAction[] {
  const { deployment } = observation
  const known = deploymentCondition(deployment.status, 'Progressing')?.reason
  if (progressDeadline(deployment) === undefined || known === 'ProgressDeadlineExceeded') return []
  const isPaused = deployment.spec.paused ?? false
  if (isPaused === (known === paused.reason)) return []
  return statusUpdate(deployment, statusWith(observation, isPaused ? paused : resumed))
}

/** Changes only the number of pods: none move from an old template to the new one. */
function scale({ deployment, replicaSets }: DeploymentObservation): readonly DeploymentAction[] {
  const scales = scaledSizes(deployment, replicaSets)
  const isCleanedUp = deployment.spec.paused && rollbackRevision(deployment) === undefined
  const scaledUp = new Set(scales.filter(({ replicas }) => replicas > 0).map(({ replicaSet }) => replicaSet))
  const surplus = isCleanedUp ? surplusReplicaSets(deployment, replicaSets.old) : []
  return [
    ...scales.map((each) => ({ do: 'scale ReplicaSet', ...each }) as const),
    ...surplus
      .filter((replicaSet) => !scaledUp.has(replicaSet))
      .map((replicaSet) => ({ do: 'delete ReplicaSet', replicaSet }) as const),
  ]
}

/** Moves pods from old ReplicaSets to the new one, within the limits of the Deployment. */
function rollingUpdate({ deployment, replicaSets }: DeploymentObservation): readonly DeploymentAction[] {
  const scales = nextScales(deployment, replicaSets)
  if (scales.length > 0) return scales.map((each) => ({ do: 'scale ReplicaSet', ...each }))
  return cleanUp({ deployment, replicaSets })
}

function scaleUpNew({ deployment, replicaSets }: DeploymentObservation): readonly DeploymentAction[] {
  const replicaSet = replicaSets.current!
  const replicas = desiredReplicas(deployment)
  return [
    ...(replicasOf(replicaSet) === replicas ? [] : [{ do: 'scale ReplicaSet', replicaSet, replicas } as const]),
    ...cleanUp({ deployment, replicaSets }),
  ]
}

function cleanUp({
  deployment,
  replicaSets,
}: Pick<DeploymentObservation, 'deployment' | 'replicaSets'>): readonly DeploymentAction[] {
  if (!isComplete(deployment, deployment.status)) return []
  return surplusReplicaSets(deployment, replicaSets.old).map((replicaSet) => ({ do: 'delete ReplicaSet', replicaSet }))
}
