import type { Job } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { podsToDelete } from '../pods/deletion-order.js'
import { isTerminating } from '../pods/readiness.js'
import { remainingDelay, remainingDelayOfIndex } from './retry-delay.js'
import { indexesOfPods, type Situation } from './situation.js'
import { completionIndexOf, isCountable, replacesOnlyFailed } from './tracked-pods.js'

/** What is to be done about the pods of a job that goes on: they become fewer, or more, or it has to wait; never two of these. */
export interface Plan {
  readonly remove: readonly Pod[]
  readonly add: readonly Place[]
  /** Milliseconds after which pods may be made that are held back after failures. */
  readonly after?: number
}

/** What a new pod stands for. */
export interface Place {
  readonly index?: number
  /** The one of the same index that failed before it. */
  readonly replaces?: Pod
}

/** One look makes or removes no more: other jobs want their turn. */
const mostAtOnce = 500

const nothing: Plan = { remove: [], add: [] }

export function planFor(situation: Situation): Plan {
  const { job, active } = situation
  if (job.spec.suspend) return { ...nothing, remove: active }
  const wanted = wantedActive(situation)
  const remove = superfluous(situation, Math.max(0, active.length - wanted))
  if (remove.length > 0) return { ...nothing, remove: remove.slice(0, mostAtOnce) }
  const going = replacesOnlyFailed(job) ? situation.pods.filter(isTerminating).length : 0
  const missing = Math.min(wanted - going - active.length, mostAtOnce)
  return missing > 0 ? additions(situation, missing) : nothing
}

function wantedActive({ job, active, succeeded }: Situation): number {
  const { parallelism = 1, completions } = job.spec
  // Once one has succeeded, the others are waited for and not replaced.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism
  return Math.max(0, Math.min(completions - succeeded, parallelism))
}

function additions(situation: Situation, count: number): Plan {
  const { job, failures, indexes, now } = situation
  if (job.spec.backoffLimitPerIndex !== undefined) return additionsByIndex(situation, count)
  const wait = remainingDelay(failures, now)
  if (wait > 0) return { ...nothing, after: wait }
  const add = indexes
    ? pendingIndexes(situation, count).map((index) => ({ index }))
    : Array.from({ length: count }, () => ({}))
  return { ...nothing, add }
}

/** Each index waits for itself. */
function additionsByIndex(situation: Situation, count: number): Plan {
  const { indexes, now } = situation
  const places = pendingIndexes(situation, count).map((index) => {
    const replaces = indexes?.replaceable.get(index)
    return { index, ...(replaces && { replaces }) }
  })
  const waits = places.map((place) => remainingDelayOfIndex(place.replaces, now))
  const add = places.filter((_, i) => waits[i] === 0)
  const waiting = waits.filter((wait) => wait > 0)
  return { ...nothing, add, ...(waiting.length > 0 && { after: Math.min(...waiting) }) }
}

/** The first that have neither ended nor a pod. */
function pendingIndexes({ job, pods, active, indexes }: Situation, count: number): readonly number[] {
  const { succeeded, failed } = indexes!
  let taken = succeeded.union(indexesOfPods(active))
  if (failed) taken = taken.union(failed)
  if (replacesOnlyFailed(job)) taken = taken.union(indexesOfPods(pods.filter(isTerminating)))
  return taken.missing(count, job.spec.completions!)
}

/** At least so many; and in an indexed job those that stand for no index, or for one that another pod stands for. */
function superfluous({ job, active, now }: Situation, atLeast: number): readonly Pod[] {
  const { unfit, fit } =
    job.spec.completionMode === 'Indexed' ? byFitness(active, job, now) : { unfit: [], fit: active }
  const more = atLeast - unfit.length
  return more > 0 ? [...unfit, ...podsToDelete(fit, { count: more, related: [], now })] : unfit
}

function byFitness(active: readonly Pod[], job: Job, now: number): { readonly unfit: Pod[]; readonly fit: Pod[] } {
  const unfit = active.filter((pod) => !isCountable(pod, job))
  const fit: Pod[] = []
  for (const pods of byIndex(active.filter((pod) => isCountable(pod, job))).values()) {
    const doubles = podsToDelete(pods, { count: pods.length - 1, related: [], now })
    unfit.push(...doubles)
    fit.push(...pods.filter((pod) => !doubles.includes(pod)))
  }
  return { unfit, fit }
}

function byIndex(pods: readonly Pod[]): ReadonlyMap<number, readonly Pod[]> {
  const result = new Map<number, Pod[]>()
  for (const pod of pods) {
    const index = completionIndexOf(pod)!
    result.set(index, [...(result.get(index) ?? []), pod])
  }
  return result
}
