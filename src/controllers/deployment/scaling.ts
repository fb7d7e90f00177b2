import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { isRollingUpdate, wantedReplicas } from './fenceposts.js'
import { clearHistory } from './history.js'
import type { Look } from './look.js'
import { noteRevision } from './new-replica-set.js'
import { proportionalSizes } from './proportions.js'
import { allOf, availableOf, isActive, type ReplicaSets, sizeOf } from './replica-sets.js'
import { annotatedNumber, desiredReplicasAnnotation } from './revisions.js'
import { rollbackRevision } from './rollback.js'
import type { Resize } from './rolling-sizes.js'
import { deploymentStatus } from './status.js'

/** Whether another number of pods is asked for since the ReplicaSets were last given their sizes. */
export function isScaled(deployment: Deployment, replicaSets: ReplicaSets): boolean {
  const wanted = wantedReplicas(deployment)
  return allOf(replicaSets)
    .filter(isActive)
    .some((each) => {
      const desired = annotatedNumber(each, desiredReplicasAnnotation)
      return desired !== undefined && desired !== wanted
    })
}

/** Only the number of pods changes: none go from an old template to the new one. */
export async function scaleOnly(look: Look, replicaSets: ReplicaSets): Promise<void> {
  const noted = await noteRevision(look, replicaSets)
  const scaled = await resizeAll(look, noted, scaledSizes(look.deployment, noted))
  const isGoingBack = rollbackRevision(look.deployment) !== undefined
  if (look.deployment.spec.paused && !isGoingBack) await clearHistory(look, scaled.old)
  await look.writeStatus(deploymentStatus(look.deployment, scaled, look.now))
}

export function scaledSizes(deployment: Deployment, replicaSets: ReplicaSets): readonly Resize[] {
  const single = onlyActive(replicaSets)
  if (single) return isScaledTo(single, deployment) ? [] : [{ replicaSet: single, size: wantedReplicas(deployment) }]
  if (isSaturated(deployment, replicaSets.current))
    return replicaSets.old.filter(isActive).map((replicaSet) => ({ replicaSet, size: 0 }))
  return isRollingUpdate(deployment) ? proportionalSizes(deployment, allOf(replicaSets)) : []
}

/** The one that has pods; if none has, the newest; undefined if there are several. */
function onlyActive(replicaSets: ReplicaSets): ReplicaSet | undefined {
  const active = allOf(replicaSets).filter(isActive)
  if (active.length === 0) return replicaSets.current ?? replicaSets.old.at(-1)
  return active.length === 1 ? active[0] : undefined
}

/** The new ReplicaSet has all that was asked for, and all of it is available: nothing old is needed any more. */
function isSaturated(deployment: Deployment, current: ReplicaSet | undefined): boolean {
  if (!current) return false
  return isScaledTo(current, deployment) && availableOf(current) === wantedReplicas(deployment)
}

/** Whether it has as many pods as the Deployment wants, and knows it. */
function isScaledTo(replicaSet: ReplicaSet, deployment: Deployment): boolean {
  const wanted = wantedReplicas(deployment)
  return sizeOf(replicaSet) === wanted && annotatedNumber(replicaSet, desiredReplicasAnnotation) === wanted
}

/** One after the other, so that a ReplicaSet may be given a size twice. Gives all as they are then. */
export async function resizeAll(
  look: Look,
  { current, old }: ReplicaSets,
  resizes: readonly Resize[],
): Promise<ReplicaSets> {
  const latest = new Map<ReplicaSet, ReplicaSet>()
  const latestOf = (replicaSet: ReplicaSet) => latest.get(replicaSet) ?? replicaSet
  for (const { replicaSet, size } of resizes) latest.set(replicaSet, await look.scale(latestOf(replicaSet), size))
  return { current: current && latestOf(current), old: old.map(latestOf) }
}
