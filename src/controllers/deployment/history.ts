import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { byAge, replicasOf } from './replica-sets.js'
import { revisionNumber } from './revisions.js'

/** The largest 32-bit integer stands for no limit. */
const noLimit = 2 ** 31 - 1

/** The old ReplicaSets to delete: those beyond the history limit, oldest first, that neither have pods nor ask for any. */
export function surplusReplicaSets({ spec }: Deployment, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const limit = spec.revisionHistoryLimit ?? noLimit
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const tooMany = limit === noLimit ? 0 : Math.max(kept.length - limit, 0)
  return kept.sort(byRevision).slice(0, tooMany).filter(isDone)
}

function byRevision(left: ReplicaSet, right: ReplicaSet): number {
  const [one, other] = [revisionNumber(left), revisionNumber(right)]
  return one === undefined || other === undefined || one === other ? byAge(left, right) : one - other
}

function isDone(replicaSet: ReplicaSet): boolean {
  const { metadata, status } = replicaSet
  const isObserved = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0)
  return status.replicas === 0 && replicasOf(replicaSet) === 0 && isObserved
}
