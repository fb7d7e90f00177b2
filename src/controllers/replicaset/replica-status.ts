import type { Pod } from '../../api/core/v1/pod.js'
import { formatTime } from '../../schema/values/time.js'
import { isAvailable, isReady } from '../pods/readiness.js'
import type { ReplicaCondition, ReplicaOwner, ReplicaStatus } from './replica-kind.js'

export interface Observation {
  readonly active: readonly Pod[]
  /** How many pods are on their way out; undefined where the kind does not tell. */
  readonly terminating: number | undefined
  /** Why pods could not be made or deleted. */
  readonly failure: unknown
  readonly now: number
}

/** What the status says, with nothing in it that the server would leave out. */
export function replicaStatus(owner: ReplicaOwner, observation: Observation): ReplicaStatus {
  const { active, terminating } = observation
  const conditions = conditionsAfter(owner, observation)
  const counts = countsOf(owner, observation)
  return {
    replicas: active.length,
    ...(counts.fullyLabeled > 0 && { fullyLabeledReplicas: counts.fullyLabeled }),
    ...(counts.ready > 0 && { readyReplicas: counts.ready }),
    ...(counts.available > 0 && { availableReplicas: counts.available }),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(owner.metadata.generation && { observedGeneration: owner.metadata.generation }),
    ...(conditions.length > 0 && { conditions }),
  }
}

function countsOf({ spec }: ReplicaOwner, { active, now }: Observation) {
  const counts = { fullyLabeled: 0, ready: 0, available: 0 }
  const wanted = Object.entries(spec.template?.metadata?.labels ?? {})
  for (const pod of active) {
    const labels = pod.metadata.labels ?? {}
    if (wanted.every(([key, value]) => labels[key] === value)) counts.fullyLabeled++
    if (!isReady(pod)) continue
    counts.ready++
    if (isAvailable(pod, spec.minReadySeconds ?? 0, now)) counts.available++
  }
  return counts
}

/** The first failure stands until there is none. */
function conditionsAfter(owner: ReplicaOwner, { active, failure, now }: Observation): readonly ReplicaCondition[] {
  const known = owner.status.conditions ?? []
  const isKnown = known.some(({ type }) => type === 'ReplicaFailure')
  if (failure === undefined) return isKnown ? known.filter(({ type }) => type !== 'ReplicaFailure') : known
  if (isKnown) return known
  const missing = (owner.spec.replicas ?? 1) - active.length
  const reason = missing > 0 ? 'FailedCreate' : 'FailedDelete'
  const message = failure instanceof Error ? failure.message : String(failure)
  const lastTransitionTime = formatTime(now)
  return [...known, { type: 'ReplicaFailure', status: 'True', lastTransitionTime, reason, message }]
}
