import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { ReplicaSetScale } from './actions.js'
import { allReplicaSets, availableReplicas, hasReplicas, type ReplicaSets, replicasOf, sum } from './replica-sets.js'
import { desiredReplicas, isRollingUpdate, maxReplicas, minAvailable } from './rollout-limits.js'

/** The next step of a rolling update: scales up the new ReplicaSet as far as the surge allows, otherwise scales down old ones. */
export function nextScales(deployment: Deployment, replicaSets: ReplicaSets): readonly ReplicaSetScale[] {
  const current = replicaSets.current!
  const replicas = newReplicaSetSize(deployment, replicasOf(current), sum(allReplicaSets(replicaSets), replicasOf))
  return replicas === replicasOf(current) ? scaleDownOld(deployment, replicaSets) : [{ replicaSet: current, replicas }]
}

/** Returns the next size of the new ReplicaSet. It has `replicas` now; all ReplicaSets of the Deployment together have `total`. */
export function newReplicaSetSize(deployment: Deployment, replicas: number, total: number): number {
  const desired = desiredReplicas(deployment)
  if (replicas >= desired || !isRollingUpdate(deployment)) return desired
  const room = maxReplicas(deployment) - total
  return room <= 0 ? replicas : replicas + Math.min(room, desired - replicas)
}

/**
 * Scales down old ReplicaSets, in order: first by pods that are not available, which would only hold up the rollout; then by others, as long as
 * enough stay available. A ReplicaSet may be scaled twice.
 */
export function scaleDownOld(deployment: Deployment, { current, old }: ReplicaSets): readonly ReplicaSetScale[] {
  const active = old.filter(hasReplicas)
  const required = minAvailable(deployment)
  const all = current ? [...active, current] : active
  const newUnavailable = current ? replicasOf(current) - availableReplicas(current) : 0
  const limit = sum(all, replicasOf) - required - newUnavailable
  if (limit <= 0) return []
  const unavailable = (replicas: number, replicaSet: ReplicaSet) =>
    Math.max(replicas - availableReplicas(replicaSet), 0)
  const first = scaleDown(active, limit, unavailable)
  const left = new Map(first.map(({ replicaSet, replicas }) => [replicaSet, replicas]))
  const second = scaleDown(active, sum(all, availableReplicas) - required, (replicas) => replicas, left)
  return [...first, ...second]
}

/** Removes up to `limit` replicas, from the oldest ReplicaSet first, and from each at most as many as `removable` says. */
function scaleDown(
  replicaSets: readonly ReplicaSet[],
  limit: number,
  removable: (replicas: number, replicaSet: ReplicaSet) => number,
  scaled: ReadonlyMap<ReplicaSet, number> = new Map(),
): readonly ReplicaSetScale[] {
  const scales: ReplicaSetScale[] = []
  let left = limit
  for (const replicaSet of replicaSets) {
    const replicas = scaled.get(replicaSet) ?? replicasOf(replicaSet)
    const removed = Math.min(Math.max(left, 0), removable(replicas, replicaSet))
    if (removed > 0) scales.push({ replicaSet, replicas: replicas - removed })
    left -= removed
  }
  return scales
}
