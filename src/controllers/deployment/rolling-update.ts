import { clearHistory } from './history.js'
import type { Look } from './look.js'
import { withNew } from './new-replica-set.js'
import { rolloutStatus } from './progress.js'
import { allOf, type ReplicaSets, sizeOf, sum } from './replica-sets.js'
import { type Resize, shrinkOld, sizeOfNew } from './rolling-sizes.js'
import { resizeAll } from './scaling.js'
import { isComplete } from './status.js'

/** Moves pods from old ReplicaSets to the new one, never more or fewer at once than the Deployment allows. */
export async function rollingUpdate(look: Look, replicaSets: ReplicaSets): Promise<void> {
  const known = await withNew(look, replicaSets)
  const resizes = nextSizes(look, known)
  const resized = await resizeAll(look, known, resizes)
  if (resizes.length === 0 && isComplete(look.deployment, look.deployment.status)) await clearHistory(look, known.old)
  await look.writeStatus(rolloutStatus(look.deployment, resized, look.now))
}

/** Up first, as far as there is room; down only when nothing goes up. */
function nextSizes({ deployment }: Look, replicaSets: Awaited<ReturnType<typeof withNew>>): readonly Resize[] {
  const { current } = replicaSets
  const size = sizeOfNew(deployment, sizeOf(current), sum(allOf(replicaSets), sizeOf))
  return size === sizeOf(current) ? shrinkOld(deployment, replicaSets) : [{ replicaSet: current, size }]
}
