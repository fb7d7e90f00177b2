import type { Deployment, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { type ConditionUpdate, newCondition, withCondition } from './conditions.js'
import { allReplicaSets, availableReplicas, type ReplicaSets, replicasOf, sum } from './replica-sets.js'
import { desiredReplicas, minAvailable } from './rollout-limits.js'

/** The counts and the condition Available. Leaves out zeros as the API server does, so that the same status is not written again. */
export function deploymentStatus(deployment: Deployment, replicaSets: ReplicaSets, now: number): DeploymentStatus {
  const all = allReplicaSets(replicaSets)
  const available = sum(all, availableReplicas)
  const { collisionCount, conditions = [] } = deployment.status
  return {
    ...(deployment.metadata.generation && { observedGeneration: deployment.metadata.generation }),
    ...unlessZero({
      replicas: sum(all, ({ status }) => status.replicas),
      updatedReplicas: replicaSets.current?.status.replicas ?? 0,
      readyReplicas: sum(all, ({ status }) => status.readyReplicas ?? 0),
      availableReplicas: available,
      unavailableReplicas: Math.max(sum(all, replicasOf) - available, 0),
    }),
    ...terminating(all),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: withCondition(conditions, newCondition(availability(deployment, available), now)),
  }
}

function unlessZero<T extends Readonly<Record<string, number>>>(counts: T): Partial<T> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<T>
}

/** Known only if every ReplicaSet reports it. */
function terminating(replicaSets: readonly ReplicaSet[]): Pick<DeploymentStatus, 'terminatingReplicas'> {
  if (replicaSets.some(({ status }) => status.terminatingReplicas === undefined)) return {}
  return { terminatingReplicas: sum(replicaSets, ({ status }) => status.terminatingReplicas!) }
}

function availability(deployment: Deployment, available: number): ConditionUpdate {
  if (available >= minAvailable(deployment))
    return {
      type: 'Available',
      status: 'True',
      reason: 'MinimumReplicasAvailable',
      message: 'Deployment has minimum availability.',
    }
  return {
    type: 'Available',
    status: 'False',
    reason: 'MinimumReplicasUnavailable',
    message: 'Deployment does not have minimum availability.',
  }
}

/** Whether all pods have the new template and are available, and no others are left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const desired = desiredReplicas(deployment)
  return (
    (status.updatedReplicas ?? 0) === desired &&
    (status.replicas ?? 0) === desired &&
    (status.availableReplicas ?? 0) === desired &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  )
}
