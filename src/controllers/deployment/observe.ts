import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { claim } from '../pods/claiming.js'
import { OwnedObjects, ownedPods } from '../pods/owned-objects.js'
import { hasEnded } from '../pods/readiness.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import type { DeploymentObservation } from './actions.js'
import { currentAndOld, type ReplicaSets } from './replica-sets.js'
import { isRollingUpdate } from './rollout-limits.js'

/** Also adopts orphaned ReplicaSets that the selector selects, and releases those that it no longer selects. */
export async function observe(key: string, context: ReconcileContext): Promise<DeploymentObservation | undefined> {
  const deployment = context.informers.of(Deployment).get(key)
  if (!deployment) return undefined
  const replicaSets = currentAndOld(deployment, await claimedReplicaSets(deployment, context))
  const hasOldPods = !isRollingUpdate(deployment) && hasPods(replicaSets.old, context)
  return { deployment, replicaSets, hasOldPods, now: context.environment.clock.now() }
}

/** None for an empty selector, which would select the ReplicaSets of all other Deployments. */
async function claimedReplicaSets(
  deployment: Deployment,
  { informers, client }: ReconcileContext,
): Promise<readonly ReplicaSet[]> {
  const selector = compiledSelector(deployment.spec.selector)
  if (selector.isEmpty) return []
  return claim(new OwnedObjects(informers, ReplicaSet).claimable(deployment), {
    kind: ReplicaSet,
    owner: deployment,
    ownerKind: Deployment,
    matches: ({ metadata }) => selector.matches(metadata.labels ?? {}),
    client,
  })
}

/** Pods that are being deleted count as well: they may still run. */
function hasPods(replicaSets: ReplicaSets['old'], { informers }: ReconcileContext): boolean {
  const pods = ownedPods(informers)
  return replicaSets.some((replicaSet) => {
    if (replicaSet.status.replicas > 0) return true
    for (const pod of pods.of(replicaSet)) if (!hasEnded(pod)) return true
    return false
  })
}
