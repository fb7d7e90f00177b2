import { formatTime } from '../../schema/values/time.js'
import { isAvailable, isReady } from '../pods/readiness.js'
import { messageOf } from '../runtime/failures.js'
import type { ReplicaObservation } from './decide.js'
import { type ReplicaCondition, type ReplicaStatus, wantedReplicas } from './replica-kind.js'

export interface ReplicaResult {
  /** Why pods could not be created or deleted. */
  readonly failure: unknown
  readonly now: number
}

/** The status after pods were created or deleted. Leaves out zeros as the API server does, so that the same status is not written again. */
export function replicaStatus(observation: ReplicaObservation, result: ReplicaResult): ReplicaStatus {
  const { owner, active, terminating } = observation
  const conditions = conditionsAfter(observation, result)
  const counts = countsOf(observation, result.now)
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

function countsOf({ owner: { spec }, active }: ReplicaObservation, now: number) {
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

/** The first failure stays until there is none. */
function conditionsAfter(
  { owner, active }: ReplicaObservation,
  { failure, now }: ReplicaResult,
): readonly ReplicaCondition[] {
  const known = owner.status.conditions ?? []
  const isKnown = known.some(({ type }) => type === 'ReplicaFailure')
  if (failure === undefined) return isKnown ? known.filter(({ type }) => type !== 'ReplicaFailure') : known
  if (isKnown) return known
  const reason = wantedReplicas(owner) > active.length ? 'FailedCreate' : 'FailedDelete'
  const lastTransitionTime = formatTime(now)
  return [...known, { type: 'ReplicaFailure', status: 'True', lastTransitionTime, reason, message: messageOf(failure) }]
}
