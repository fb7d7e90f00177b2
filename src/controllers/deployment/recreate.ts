import { ownedPods } from '../pods/owned-objects.js'
import { hasEnded } from '../pods/readiness.js'
import { wantedReplicas } from './fenceposts.js'
import { clearHistory } from './history.js'
import type { Look } from './look.js'
import { noteRevision, withNew } from './new-replica-set.js'
import { rolloutStatus } from './progress.js'
import { isActive, type ReplicaSets, sizeOf } from './replica-sets.js'
import { resizeAll } from './scaling.js'
import { isComplete } from './status.js'

/** First everything old goes; only when the last of its pods is gone does anything new come. */
export async function recreate(look: Look, replicaSets: ReplicaSets): Promise<void> {
  const known = await noteRevision(look, replicaSets)
  const active = known.old.filter(isActive)
  if (active.length > 0) {
    const resizes = active.map((replicaSet) => ({ replicaSet, size: 0 }))
    return writeRollout(look, await resizeAll(look, known, resizes))
  }
  if (hasOldPods(look, known)) return writeRollout(look, known)
  const { current, old } = await withNew(look, known)
  const wanted = wantedReplicas(look.deployment)
  const resizes = sizeOf(current) === wanted ? [] : [{ replicaSet: current, size: wanted }]
  const scaled = await resizeAll(look, { current, old }, resizes)
  if (isComplete(look.deployment, look.deployment.status)) await clearHistory(look, old)
  await writeRollout(look, scaled)
}

function writeRollout(look: Look, replicaSets: ReplicaSets): Promise<void> {
  return look.writeStatus(rolloutStatus(look.deployment, replicaSets, look.now))
}

/** Also one that is on its way out still runs. */
function hasOldPods({ context }: Look, { old }: ReplicaSets): boolean {
  const pods = ownedPods(context.informers)
  return old.some((replicaSet) => {
    if (replicaSet.status.replicas > 0) return true
    for (const pod of pods.of(replicaSet)) if (!hasEnded(pod)) return true
    return false
  })
}
