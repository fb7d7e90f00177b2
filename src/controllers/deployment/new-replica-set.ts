/** The ReplicaSet of the current template: how it is created, numbered and reported. */
import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { Given } from '../../client/resource-client.js'
import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import { quote } from '../../schema/quote.js'
import { templateHash, templateHashLabel } from '../pods/template.js'
import { controllerReference, isControlledBy } from '../runtime/owners.js'
import { type DeploymentAction, type DeploymentObservation, scalingEvent, statusUpdate, statusWith } from './actions.js'
import { type ConditionUpdate, deploymentCondition } from './conditions.js'
import { progressDeadline } from './progress.js'
import { isSameTemplate, replicasOf, sum } from './replica-sets.js'
import { highestRevision, newReplicaSetAnnotations, revisionAnnotation, scaleAnnotations } from './revisions.js'
import { newReplicaSetSize } from './rolling-update.js'

/** Writes what the new ReplicaSet lacks, and its revision on the Deployment. */
export function recordRevision(observation: DeploymentObservation): readonly DeploymentAction[] {
  const { current, old } = observation.replicaSets
  if (!current) return []
  const { metadata, spec } = current
  const { minReadySeconds = 0 } = observation.deployment.spec
  const annotations = newReplicaSetAnnotations(observation.deployment, current, highestRevision(old) + 1)
  const isRecorded = sameJson(annotations, (metadata.annotations ?? {}) as JsonValue)
  const isSame = isRecorded && (spec.minReadySeconds ?? 0) === minReadySeconds
  const changed = { ...current, metadata: { ...metadata, annotations }, spec: { ...spec, minReadySeconds } }
  return [
    ...(isSame ? [] : [{ do: 'update ReplicaSet', replicaSet: changed } as const]),
    ...recordOnDeployment(observation, metadata.name!, annotations[revisionAnnotation]),
  ]
}

/** A Deployment without the condition `Progressing` gets it. */
function recordOnDeployment(
  observation: DeploymentObservation,
  name: string,
  revision: string | undefined,
): readonly DeploymentAction[] {
  const { deployment } = observation
  const condition: ConditionUpdate = {
    type: 'Progressing',
    status: 'True',
    reason: 'FoundNewReplicaSet',
    message: `Found new replica set ${quote(name)}`,
  }
  const isNew = progressDeadline(deployment) !== undefined && !deploymentCondition(deployment.status, 'Progressing')
  const status = isNew ? statusWith(observation, condition) : deployment.status
  return statusUpdate(deployment, status, withRevision(deployment, revision))
}

function withRevision({ metadata }: Deployment, revision: string | undefined) {
  return { ...metadata.annotations, ...(revision !== undefined && { [revisionAnnotation]: revision }) }
}

/** The ReplicaSet for the current template, beside the old ones. */
export function newReplicaSet(deployment: Deployment, old: readonly ReplicaSet[]): Given<ReplicaSet> {
  const { template, selector, minReadySeconds } = deployment.spec
  const hash = templateHash(template, deployment.status.collisionCount)
  const labels = { ...template.metadata?.labels, [templateHashLabel]: hash }
  const { name, namespace } = deployment.metadata
  const metadata = {
    name: `${name!.slice(0, maxNameLength - 1 - hash.length)}-${hash}`,
    namespace: namespace!,
    labels,
    ownerReferences: [controllerReference(deployment)],
  }
  const annotations = {
    ...newReplicaSetAnnotations(deployment, { metadata }, highestRevision(old) + 1),
    ...scaleAnnotations(deployment),
  }
  return {
    metadata: { ...metadata, annotations },
    spec: {
      replicas: newReplicaSetSize(deployment, 0, sum(old, replicasOf)),
      ...(minReadySeconds && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [templateHashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

const maxNameLength = 253

/** Whether a ReplicaSet that has the name of the new one is the new one. */
export function isReplicaSetOf(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  return isControlledBy(replicaSet, deployment) && isSameTemplate(replicaSet.spec.template, deployment.spec.template)
}

export function actionsAfterCreate(
  observation: DeploymentObservation,
  created: ReplicaSet,
): readonly DeploymentAction[] {
  const { deployment } = observation
  const name = created.metadata.name!
  const replicas = replicasOf(created)
  const message = `Created new replica set ${quote(name)}`
  const condition: ConditionUpdate = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated', message }
  const hasDeadline = progressDeadline(deployment) !== undefined
  const status = hasDeadline ? statusWith(observation, condition) : deployment.status
  return [
    ...(replicas > 0 ? [{ do: 'record event', event: scalingEvent(name, 0, replicas) } as const] : []),
    ...statusUpdate(deployment, status, withNextRevision(observation)),
  ]
}

/** The ReplicaSet existed, though the informer did not show it. */
export function actionsAfterFind(observation: DeploymentObservation): readonly DeploymentAction[] {
  const { deployment } = observation
  return statusUpdate(deployment, deployment.status, withNextRevision(observation))
}

function withNextRevision({ deployment, replicaSets: { old } }: DeploymentObservation) {
  return withRevision(deployment, String(highestRevision(old) + 1))
}

/** Counts a collision, which leads to another hash. */
export function actionsAfterCollision({ deployment }: DeploymentObservation): readonly DeploymentAction[] {
  const { status } = deployment
  return statusUpdate(deployment, { ...status, collisionCount: (status.collisionCount ?? 0) + 1 })
}

export function actionsAfterFailure(
  observation: DeploymentObservation,
  name: string,
  failure: string,
): readonly DeploymentAction[] {
  const { deployment } = observation
  const message = `Failed to create new replica set ${quote(name)}: ${failure}`
  const reason = 'ReplicaSetCreateError'
  const condition: ConditionUpdate = { type: 'Progressing', status: 'False', reason, message }
  const hasDeadline = progressDeadline(deployment) !== undefined
  return [
    { do: 'record event', event: { type: 'Warning', reason, message } },
    ...(hasDeadline ? statusUpdate(deployment, statusWith(observation, condition)) : []),
  ]
}
