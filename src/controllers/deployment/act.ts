import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { hasReason } from '../../api/errors.js'
import type { Given } from '../../client/resource-client.js'
import { sameJson } from '../../schema/json-value.js'
import { isNamespaceTerminating } from '../pods/pod-writes.js'
import { messageOf, unlessNotFound } from '../runtime/failures.js'
import type { ActResult, ReconcileContext } from '../runtime/reconcile.js'
import {
  type DeploymentAction,
  type DeploymentEvent,
  type DeploymentObservation,
  type ReplicaSetScale,
  scalingEvent,
} from './actions.js'
import type { DeploymentDecision } from './decide.js'
import {
  actionsAfterCollision,
  actionsAfterCreate,
  actionsAfterFailure,
  actionsAfterFind,
  isReplicaSetOf,
} from './new-replica-set.js'
import { replaceReplicaSet, replicasOf } from './replica-sets.js'
import { scaleAnnotations } from './revisions.js'

export async function act(
  { actions, stages, requeueAfter }: DeploymentDecision,
  observation: DeploymentObservation,
  context: ReconcileContext,
): Promise<ActResult<DeploymentObservation>> {
  if (requeueAfter !== undefined) return { requeueAfter }
  const after = await performAll(actions, observation, context)
  return { observation: { ...after, stages } }
}

/** Returns what is known after the last action. */
async function performAll(
  actions: readonly DeploymentAction[],
  observation: DeploymentObservation,
  context: ReconcileContext,
): Promise<DeploymentObservation> {
  let latest = observation
  for (const action of actions) {
    const changed = await perform(action, latest, context)
    latest = { ...latest, ...changed, now: context.environment.clock.now() }
  }
  return latest
}

type Change = Partial<DeploymentObservation> | undefined

function perform(
  action: DeploymentAction,
  observation: DeploymentObservation,
  context: ReconcileContext,
): Promise<Change> | Change {
  switch (action.do) {
    case 'record event':
      return recordEvent(action.event, observation, context)
    case 'update status':
      return updateStatus(action, observation, context)
    case 'update deployment':
      return updateDeployment(action.deployment, context)
    case 'create ReplicaSet':
      return createReplicaSet(action.replicaSet, observation, context)
    case 'update ReplicaSet':
      return updateReplicaSet(action.replicaSet, observation, context)
    case 'scale ReplicaSet':
      return scaleReplicaSet(action, observation, context)
    case 'delete ReplicaSet':
      return deleteReplicaSet(action.replicaSet, context)
  }
}

function recordEvent(
  event: DeploymentEvent,
  { deployment }: DeploymentObservation,
  { events }: ReconcileContext,
): undefined {
  events.record({ about: deployment, ...event })
}

async function updateStatus(
  { status, annotations }: DeploymentAction & { readonly do: 'update status' },
  { deployment }: DeploymentObservation,
  { client }: ReconcileContext,
): Promise<Change> {
  const { metadata } = deployment
  const statuses = client.resource(Deployment).in(metadata.namespace!).subresource('status')
  return { deployment: await statuses.update({ ...deployment, metadata: { ...metadata, annotations }, status }) }
}

async function updateDeployment(deployment: Deployment, { client }: ReconcileContext): Promise<Change> {
  return { deployment: await client.resource(Deployment).in(deployment.metadata.namespace!).update(deployment) }
}

async function updateReplicaSet(
  replicaSet: ReplicaSet,
  { replicaSets }: DeploymentObservation,
  { client }: ReconcileContext,
): Promise<Change> {
  const updated = await client.resource(ReplicaSet).in(replicaSet.metadata.namespace!).update(replicaSet)
  return { replicaSets: replaceReplicaSet(replicaSets, updated) }
}

/** Also annotates the ReplicaSet with the scale of its Deployment. A ReplicaSet may be scaled twice: the first write changed it. */
async function scaleReplicaSet(
  {
    replicaSet: {
      metadata: { uid },
    },
    replicas,
  }: ReplicaSetScale,
  observation: DeploymentObservation,
  context: ReconcileContext,
): Promise<Change> {
  const { current, old } = observation.replicaSets
  const replicaSet = [...old, ...(current ? [current] : [])].find(({ metadata }) => metadata.uid === uid)!
  const { metadata, spec } = replicaSet
  const before = replicasOf(replicaSet)
  const annotations = { ...metadata.annotations, ...scaleAnnotations(observation.deployment) }
  if (before === replicas && sameJson(annotations, metadata.annotations ?? {})) return undefined
  const scaled = { ...replicaSet, metadata: { ...metadata, annotations }, spec: { ...spec, replicas } }
  const change = await updateReplicaSet(scaled, observation, context)
  if (before !== replicas) recordEvent(scalingEvent(metadata.name!, before, replicas), observation, context)
  return change
}

async function deleteReplicaSet({ metadata }: ReplicaSet, { client }: ReconcileContext): Promise<undefined> {
  const { name, namespace, uid } = metadata
  const replicaSets = client.resource(ReplicaSet).in(namespace!)
  await unlessNotFound(replicaSets.delete(name!, { preconditions: { uid: uid! } }))
}

async function createReplicaSet(
  wanted: Given<ReplicaSet>,
  observation: DeploymentObservation,
  context: ReconcileContext,
): Promise<Change> {
  const { replicaSet, isFound } = await createdOrFound(wanted, observation, context)
  const after = { ...observation, replicaSets: { ...observation.replicaSets, current: replicaSet } }
  return performAll(isFound ? actionsAfterFind(after) : actionsAfterCreate(after, replicaSet), after, context)
}

interface CreatedReplicaSet {
  readonly replicaSet: ReplicaSet
  /** It existed: another process was faster, or this one was killed after it had created it. */
  readonly isFound: boolean
}

async function createdOrFound(
  wanted: Given<ReplicaSet>,
  observation: DeploymentObservation,
  context: ReconcileContext,
): Promise<CreatedReplicaSet> {
  const { name, namespace } = wanted.metadata as { readonly name: string; readonly namespace: string }
  const replicaSets = context.client.resource(ReplicaSet).in(namespace)
  try {
    return { replicaSet: await replicaSets.create(wanted), isFound: false }
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) {
      const found = await replicaSets.get(name)
      if (isReplicaSetOf(observation.deployment, found)) return { replicaSet: found, isFound: true }
      // Two templates have the same hash. The next reconcile takes another one.
      await performAll(actionsAfterCollision(observation), observation, context)
    } else if (!isNamespaceTerminating(error))
      await performAll(actionsAfterFailure(observation, name, messageOf(error)), observation, context)
    throw error
  }
}
