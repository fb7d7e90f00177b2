import { Pod } from '../../api/core/v1/pod.js'
import { claim } from '../pods/claiming.js'
import { OwnedObjects, ownedPods } from '../pods/owned-objects.js'
import { isActive, isTerminating } from '../pods/readiness.js'
import { controllerOf } from '../runtime/owners.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import type { ReplicaObservation } from './decide.js'
import { type ReplicaKind, type ReplicaOwner, wantedReplicas } from './replica-kind.js'

/** Also adopts orphans that the selector selects, and releases pods that it no longer selects. */
export function observerOf(kind: ReplicaKind) {
  return async (key: string, context: ReconcileContext): Promise<ReplicaObservation | undefined> => {
    const owner: ReplicaOwner | undefined = context.informers.of(kind.schema).get(key)
    if (!owner) return undefined
    const target = { kind, owner, context }
    const active = await claimedPods(target)
    return {
      owner,
      active,
      terminating: terminatingPods(target),
      related: active.length > wantedReplicas(owner) ? [...relatedPods(target)] : [],
      now: context.environment.clock.now(),
    }
  }
}

interface ObservedOwner {
  readonly kind: ReplicaKind
  readonly owner: ReplicaOwner
  readonly context: ReconcileContext
}

function claimedPods({ kind, owner, context: { informers, client } }: ObservedOwner): Promise<readonly Pod[]> {
  const selector = kind.selectorOf(owner)
  const matches = ({ metadata }: Pod) => selector.matches(metadata.labels ?? {})
  const candidates = activeOf(ownedPods(informers).claimable(owner))
  return claim(candidates, { kind: Pod, owner, ownerKind: kind.schema, matches, client })
}

function* activeOf(pods: Iterable<Pod>): Iterable<Pod> {
  for (const pod of pods) if (isActive(pod)) yield pod
}

function terminatingPods({ kind, owner, context }: ObservedOwner): number | undefined {
  if (!kind.countsTerminating) return undefined
  const selector = kind.selectorOf(owner)
  let count = 0
  for (const pod of ownedPods(context.informers).of(owner))
    if (isTerminating(pod) && selector.matches(pod.metadata.labels ?? {})) count++
  return count
}

/** The pods of all ReplicaSets of the same Deployment. */
function* relatedPods({ kind, owner, context: { informers } }: ObservedOwner): Iterable<Pod> {
  const pods = ownedPods(informers)
  const deployment = controllerOf(owner)
  const siblings: Iterable<ReplicaOwner> = deployment
    ? new OwnedObjects(informers, kind.schema).ofUid(deployment.uid)
    : [owner]
  for (const sibling of siblings) yield* pods.of(sibling)
}
