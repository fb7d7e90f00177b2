import type { Job } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { podsToDelete } from '../pods/deletion-order.js'
import { isTerminating } from '../pods/readiness.js'
import { indexesOfPods, type JobState } from './job-state.js'
import { remainingDelay, remainingDelayOfIndex } from './retry-delay.js'
import { completionIndexOf, isCountable, replacesOnlyFailed } from './tracked-pods.js'

/** Which pods to create or delete; never both. */
export interface PodPlan {
  readonly remove: readonly Pod[]
  readonly add: readonly PodSlot[]
  /** Milliseconds until pods may be created that are delayed because of failures. */
  readonly after?: number
}

/** What a new pod is created for. */
export interface PodSlot {
  readonly index?: number
  /** The pod with the same index that failed before it. */
  readonly replaces?: Pod
}

/** The most pods that are created or deleted in one reconcile, so that a large job does not starve the others. */
const burst = 500

export const noPodChanges: PodPlan = { remove: [], add: [] }

export function planPods(state: JobState): PodPlan {
  const { job, active } = state
  if (job.spec.suspend) return { ...noPodChanges, remove: active }
  const wanted = wantedActive(state)
  const remove = surplusPods(state, Math.max(0, active.length - wanted))
  if (remove.length > 0) return { ...noPodChanges, remove: remove.slice(0, burst) }
  const terminating = replacesOnlyFailed(job) ? state.pods.filter(isTerminating).length : 0
  const missing = Math.min(wanted - terminating - active.length, burst)
  return missing > 0 ? additions(state, missing) : noPodChanges
}

function wantedActive({ job, active, succeeded }: JobState): number {
  const { parallelism = 1, completions } = job.spec
  // After the first success, the other pods are awaited and not replaced.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism
  return Math.max(0, Math.min(completions - succeeded, parallelism))
}

function additions(state: JobState, count: number): PodPlan {
  const { job, failures, indexes, now } = state
  if (job.spec.backoffLimitPerIndex !== undefined) return additionsByIndex(state, count)
  const wait = remainingDelay(failures, now)
  if (wait > 0) return { ...noPodChanges, after: wait }
  const add = indexes
    ? pendingIndexes(state, count).map((index) => ({ index }))
    : Array.from({ length: count }, () => ({}))
  return { ...noPodChanges, add }
}

/** Each index has its own delay. */
function additionsByIndex(state: JobState, count: number): PodPlan {
  const { indexes, now } = state
  const slots = pendingIndexes(state, count).map((index) => {
    const replaces = indexes?.replaceable.get(index)
    return { index, ...(replaces && { replaces }) }
  })
  const waits = slots.map((slot) => remainingDelayOfIndex(slot.replaces, now))
  const add = slots.filter((_, i) => waits[i] === 0)
  const waiting = waits.filter((wait) => wait > 0)
  return { ...noPodChanges, add, ...(waiting.length > 0 && { after: Math.min(...waiting) }) }
}

/** The first indexes that have neither ended nor have a pod. */
function pendingIndexes({ job, pods, active, indexes }: JobState, count: number): readonly number[] {
  const { succeeded, failed } = indexes!
  let taken = succeeded.union(indexesOfPods(active))
  if (failed) taken = taken.union(failed)
  if (replacesOnlyFailed(job)) taken = taken.union(indexesOfPods(pods.filter(isTerminating)))
  return taken.missing(count, job.spec.completions!)
}

/** At least this many pods; in an indexed job also pods without valid index, and all but one pod of each index. */
function surplusPods({ job, active, now }: JobState, atLeast: number): readonly Pod[] {
  const { surplus, kept } =
    job.spec.completionMode === 'Indexed' ? byValidity(active, job, now) : { surplus: [], kept: active }
  const more = atLeast - surplus.length
  return more > 0 ? [...surplus, ...podsToDelete(kept, { count: more, related: [], now })] : surplus
}

function byValidity(active: readonly Pod[], job: Job, now: number): { readonly surplus: Pod[]; readonly kept: Pod[] } {
  const surplus = active.filter((pod) => !isCountable(pod, job))
  const kept: Pod[] = []
  for (const pods of byIndex(active.filter((pod) => isCountable(pod, job))).values()) {
    const duplicates = podsToDelete(pods, { count: pods.length - 1, related: [], now })
    surplus.push(...duplicates)
    kept.push(...pods.filter((pod) => !duplicates.includes(pod)))
  }
  return { surplus, kept }
}

function byIndex(pods: readonly Pod[]): ReadonlyMap<number, readonly Pod[]> {
  const result = new Map<number, Pod[]>()
  for (const pod of pods) {
    const index = completionIndexOf(pod)!
    result.set(index, [...(result.get(index) ?? []), pod])
  }
  return result
}
