import type { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { hasReason } from '../../api/errors.js'
import type { Look } from './look.js'
import { byAge, sizeOf } from './replica-sets.js'
import { revisionOf } from './revisions.js'

/** The largest number that fits: no limit. */
const noLimit = 2 ** 31 - 1

/** Which old ReplicaSets are beyond what is kept of history. Only such as have no pods and ask for none. */
export function forgotten({ spec }: Deployment, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const limit = spec.revisionHistoryLimit ?? noLimit
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const tooMany = limit === noLimit ? 0 : Math.max(kept.length - limit, 0)
  return kept.sort(byRevision).slice(0, tooMany).filter(isDone)
}

function byRevision(left: ReplicaSet, right: ReplicaSet): number {
  const [one, other] = [revisionOf(left), revisionOf(right)]
  return one === undefined || other === undefined || one === other ? byAge(left, right) : one - other
}

function isDone(replicaSet: ReplicaSet): boolean {
  const { metadata, status } = replicaSet
  const isObserved = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0)
  return status.replicas === 0 && sizeOf(replicaSet) === 0 && isObserved
}

export async function clearHistory({ deployment, context }: Look, old: readonly ReplicaSet[]): Promise<void> {
  for (const { metadata } of forgotten(deployment, old)) {
    const { name, namespace, uid } = metadata
    try {
      await context.client
        .resource(ReplicaSet)
        .in(namespace!)
        .delete(name!, { preconditions: { uid: uid! } })
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error
    }
  }
}
