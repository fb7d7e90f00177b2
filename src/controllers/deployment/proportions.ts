import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { mostReplicas, wantedReplicas } from './fenceposts.js'
import { byAge, isActive, sizeOf, sum } from './replica-sets.js'
import { annotatedNumber, maxReplicasAnnotation } from './revisions.js'
import type { Resize } from './rolling-sizes.js'

/**
 * The sizes of all ReplicaSets with pods when a Deployment is scaled in the middle of a rollout: each keeps its share, so that a bad version
 * does not get more weight by it. What rounding leaves over goes to the largest.
 */
export function proportionalSizes(deployment: Deployment, replicaSets: readonly ReplicaSet[]): readonly Resize[] {
  const active = replicaSets.filter(isActive)
  const allowed = wantedReplicas(deployment) > 0 ? mostReplicas(deployment) : 0
  const toAdd = allowed - sum(active, sizeOf)
  if (toAdd === 0) return active.map((replicaSet) => ({ replicaSet, size: sizeOf(replicaSet) }))
  let added = 0
  const resizes = active.sort(bySize(toAdd > 0 ? 'newer' : 'older')).map((replicaSet) => {
    const share = shareOf(deployment, replicaSet, { toAdd, added })
    added += share
    return { replicaSet, size: sizeOf(replicaSet) + share }
  })
  const [largest, ...others] = resizes
  return largest ? [{ ...largest, size: Math.max(largest.size + toAdd - added, 0) }, ...others] : []
}

/** Largest first; among equals the newer ones gain first, and the older ones lose first. */
function bySize(first: 'newer' | 'older') {
  return (left: ReplicaSet, right: ReplicaSet): number =>
    sizeOf(right) - sizeOf(left) || (first === 'newer' ? byAge(right, left) : byAge(left, right))
}

/** How many more pods one ReplicaSet gets, fewer if negative; never beyond what is still to be added. */
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
  const size = sizeOf(replicaSet)
  if (wantedReplicas(deployment) === 0) return -size
  const before = annotatedNumber(replicaSet, maxReplicasAnnotation) || (deployment.status.replicas ?? 0)
  return before === 0 ? 0 : Math.round((size * mostReplicas(deployment)) / before) - size
}
