import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { ReplicaSetScale } from './actions.js'
import { byAge, hasReplicas, replicasOf, sum } from './replica-sets.js'
import { annotatedNumber, maxReplicasAnnotation } from './revisions.js'
import { desiredReplicas, maxReplicas } from './rollout-limits.js'

/**
 * The replicas of all ReplicaSets when a Deployment is scaled in the middle of a rollout. Each keeps its share, so that a bad version does not
 * gain weight. The largest one gets what rounding leaves over.
 */
export function proportionalSizes(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
): readonly ReplicaSetScale[] {
  const active = replicaSets.filter(hasReplicas)
  const allowed = desiredReplicas(deployment) > 0 ? maxReplicas(deployment) : 0
  const toAdd = allowed - sum(active, replicasOf)
  if (toAdd === 0) return active.map((replicaSet) => ({ replicaSet, replicas: replicasOf(replicaSet) }))
  let added = 0
  const scales = active.sort(bySize(toAdd > 0 ? 'newer' : 'older')).map((replicaSet) => {
    const share = shareOf(deployment, replicaSet, { toAdd, added })
    added += share
    return { replicaSet, replicas: replicasOf(replicaSet) + share }
  })
  const [largest, ...others] = scales
  return largest ? [{ ...largest, replicas: Math.max(largest.replicas + toAdd - added, 0) }, ...others] : []
}

/** The largest first; of two with the same size, the newer one first when replicas are added and the older one when they are removed. */
function bySize(first: 'newer' | 'older') {
  return (left: ReplicaSet, right: ReplicaSet): number =>
    replicasOf(right) - replicasOf(left) || (first === 'newer' ? byAge(right, left) : byAge(left, right))
}

/** How many replicas a ReplicaSet gains, or loses if negative; never more than are still to be added or removed. */
function shareOf(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  { toAdd, added }: { readonly toAdd: number; readonly added: number },
): number {
  if (toAdd === added) return 0
  const share = exactShare(deployment, replicaSet)
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added)
}

function exactShare(deployment: Deployment, replicaSet: ReplicaSet): number {
  const size = replicasOf(replicaSet)
  if (desiredReplicas(deployment) === 0) return -size
  const before = annotatedNumber(replicaSet, maxReplicasAnnotation) || (deployment.status.replicas ?? 0)
  return before === 0 ? 0 : Math.round((size * maxReplicas(deployment)) / before) - size
}
