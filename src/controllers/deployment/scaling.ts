import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { ReplicaSetScale } from './actions.js'
import { proportionalSizes } from './proportional-scaling.js'
import { allReplicaSets, availableReplicas, hasReplicas, type ReplicaSets, replicasOf } from './replica-sets.js'
import { annotatedNumber, desiredReplicasAnnotation } from './revisions.js'
import { desiredReplicas, isRollingUpdate } from './rollout-limits.js'

/** Whether the Deployment was scaled after its ReplicaSets were. */
export function isScaled(deployment: Deployment, replicaSets: ReplicaSets): boolean {
  const wanted = desiredReplicas(deployment)
  return allReplicaSets(replicaSets)
    .filter(hasReplicas)
    .some((each) => {
      const desired = annotatedNumber(each, desiredReplicasAnnotation)
      return desired !== undefined && desired !== wanted
    })
}

/** The replicas of all ReplicaSets after the Deployment was scaled. */
export function scaledSizes(deployment: Deployment, replicaSets: ReplicaSets): readonly ReplicaSetScale[] {
  const single = onlyActive(replicaSets)
  if (single)
    return isScaledTo(single, deployment) ? [] : [{ replicaSet: single, replicas: desiredReplicas(deployment) }]
  if (isSaturated(deployment, replicaSets.current))
    return replicaSets.old.filter(hasReplicas).map((replicaSet) => ({ replicaSet, replicas: 0 }))
  return isRollingUpdate(deployment) ? proportionalSizes(deployment, allReplicaSets(replicaSets)) : []
}

/** The only one with replicas; if none has any, the newest; undefined if several have. */
function onlyActive(replicaSets: ReplicaSets): ReplicaSet | undefined {
  const active = allReplicaSets(replicaSets).filter(hasReplicas)
  if (active.length === 0) return replicaSets.current ?? replicaSets.old.at(-1)
  return active.length === 1 ? active[0] : undefined
}

/** Whether the new ReplicaSet has all desired replicas and all are available: then the old ones are not needed. */
function isSaturated(deployment: Deployment, current: ReplicaSet | undefined): boolean {
  if (!current) return false
  return isScaledTo(current, deployment) && availableReplicas(current) === desiredReplicas(deployment)
}

/** Whether it has the desired replicas, and its annotation says so. */
function isScaledTo(replicaSet: ReplicaSet, deployment: Deployment): boolean {
  const wanted = desiredReplicas(deployment)
  return replicasOf(replicaSet) === wanted && annotatedNumber(replicaSet, desiredReplicasAnnotation) === wanted
}
