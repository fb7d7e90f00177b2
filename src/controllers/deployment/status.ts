import type { Deployment, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { conditionNow, type Said, withCondition } from './conditions.js'
import { fewestAvailable, wantedReplicas } from './fenceposts.js'
import { allOf, availableOf, type ReplicaSets, sizeOf, sum } from './replica-sets.js'

/** What the status says of pods, with nothing in it that the server would leave out, and whether the Deployment is available. */
export function deploymentStatus(deployment: Deployment, replicaSets: ReplicaSets, now: number): DeploymentStatus {
  const all = allOf(replicaSets)
  const available = sum(all, availableOf)
  const { collisionCount, conditions = [] } = deployment.status
  return {
    ...(deployment.metadata.generation && { observedGeneration: deployment.metadata.generation }),
    ...unlessZero({
      replicas: sum(all, ({ status }) => status.replicas),
      updatedReplicas: replicaSets.current?.status.replicas ?? 0,
      readyReplicas: sum(all, ({ status }) => status.readyReplicas ?? 0),
      availableReplicas: available,
      unavailableReplicas: Math.max(sum(all, sizeOf) - available, 0),
    }),
    ...terminating(all),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: withCondition(conditions, conditionNow(availability(deployment, available), now)),
  }
}

function unlessZero<T extends Readonly<Record<string, number>>>(counts: T): Partial<T> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<T>
}

/** Known only if every ReplicaSet tells. */
function terminating(replicaSets: readonly ReplicaSet[]): Pick<DeploymentStatus, 'terminatingReplicas'> {
  if (replicaSets.some(({ status }) => status.terminatingReplicas === undefined)) return {}
  return { terminatingReplicas: sum(replicaSets, ({ status }) => status.terminatingReplicas!) }
}

function availability(deployment: Deployment, available: number): Said {
  if (available >= fewestAvailable(deployment))
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

/** Whether all pods are of the new template and available, and nothing else is left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = wantedReplicas(deployment)
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  )
}
