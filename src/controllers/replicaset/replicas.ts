import { Pod } from '../../api/core/v1/pod.js'
import { claim } from '../pods/claiming.js'
import { OwnedObjects, ownedPods } from '../pods/owned-objects.js'
import { isActive, isTerminating } from '../pods/readiness.js'
import { controllerOf } from '../runtime/owners.js'
import type { Look, ReplicaOwner } from './replica-kind.js'

/** The pods that count; orphans that the selector chooses are adopted on the way. */
export function claimedPods({ kind, owner, context: { informers, client } }: Look): Promise<readonly Pod[]> {
  const selector = kind.selectorOf(owner)
  const matches = ({ metadata }: Pod) => selector.matches(metadata.labels ?? {})
  const candidates = activeOf(ownedPods(informers).claimable(owner))
  return claim(candidates, { kind: Pod, owner, ownerKind: kind.schema, matches, client })
}

function* activeOf(pods: Iterable<Pod>): Iterable<Pod> {
  for (const pod of pods) if (isActive(pod)) yield pod
}

/** How many pods are on their way out; undefined where the kind does not tell. */
export function terminatingPods({ kind, owner, context }: Look): number | undefined {
  if (!kind.tellsTerminating) return undefined
  const selector = kind.selectorOf(owner)
  let count = 0
  for (const pod of ownedPods(context.informers).of(owner))
    if (isTerminating(pod) && selector.matches(pod.metadata.labels ?? {})) count++
  return count
}

/** The pods of all that belong to the same Deployment: they serve the same purpose. */
export function* relatedPods({ kind, owner, context: { informers } }: Look): Iterable<Pod> {
  const pods = ownedPods(informers)
  const deployment = controllerOf(owner)
  const siblings: Iterable<ReplicaOwner> = deployment
    ? new OwnedObjects(informers, kind.schema).ofUid(deployment.uid)
    : [owner]
  for (const sibling of siblings) yield* pods.of(sibling)
}
