import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { fewestAvailable, isRollingUpdate, mostReplicas, wantedReplicas } from './fenceposts.js'
import { availableOf, isActive, type ReplicaSets, sizeOf, sum } from './replica-sets.js'

/** A ReplicaSet is to have another size. */
export interface Resize {
  readonly replicaSet: ReplicaSet
  readonly size: number
}

/** How many pods the new ReplicaSet may have while there are `total` pods, its own included. */
export function sizeOfNew(deployment: Deployment, size: number, total: number): number {
  const wanted = wantedReplicas(deployment)
  if (size >= wanted || !isRollingUpdate(deployment)) return wanted
  const room = mostReplicas(deployment) - total
  return room <= 0 ? size : size + Math.min(room, wanted - size)
}

/**
 * Which old ReplicaSets get smaller, in order: first by pods that are not available anyhow, whose loss is none and which would hold up
 * everything; then by others, as far as enough remain available. A ReplicaSet may be in it twice.
 */
export function shrinkOld(deployment: Deployment, { current, old }: ReplicaSets): readonly Resize[] {
  const active = old.filter(isActive)
  const fewest = fewestAvailable(deployment)
  const news = current ? [current] : []
  const total = sum([...active, ...news], sizeOf)
  const newUnavailable = sum(news, (each) => sizeOf(each) - availableOf(each))
  const most = total - fewest - newUnavailable
  if (most <= 0) return []
  const unhealthy = shrink(active, most, (size, replicaSet) => Math.max(size - availableOf(replicaSet), 0))
  const left = new Map(unhealthy.map(({ replicaSet, size }) => [replicaSet, size]))
  const spare = sum([...active, ...news], availableOf) - fewest
  const healthy = shrink(active, spare, (size) => size, left)
  return [...unhealthy, ...healthy]
}

/** Takes up to `most` pods away, oldest ReplicaSets first, from each no more than `takes` allows. */
function shrink(
  replicaSets: readonly ReplicaSet[],
  most: number,
  takes: (size: number, replicaSet: ReplicaSet) => number,
  sizes: ReadonlyMap<ReplicaSet, number> = new Map(),
): readonly Resize[] {
  const resizes: Resize[] = []
  let left = most
  for (const replicaSet of replicaSets) {
    const size = sizes.get(replicaSet) ?? sizeOf(replicaSet)
    const taken = Math.min(Math.max(left, 0), takes(size, replicaSet))
    if (taken > 0) resizes.push({ replicaSet, size: size - taken })
    left -= taken
  }
  return resizes
}
