import type { Job } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isActive } from '../pods/readiness.js'
import { countsAsFailure, matchFailurePolicy } from './failure-policy.js'
import { IndexSet } from './index-set.js'
import { type EndedPods, type FailureStreak, streakAfter } from './retry-delay.js'
import { completionIndexOf, earlierFailures, finishedAt, hasFailed, isCountable, isTracked } from './tracked-pods.js'

/** A job and its pods, and what follows from them. */
export interface JobState {
  readonly job: Job
  readonly pods: readonly Pod[]
  readonly active: readonly Pod[]
  /** Succeeded pods; of an indexed job, succeeded indexes. Includes pods that the status does not count yet, here and below. */
  readonly succeeded: number
  readonly failed: number
  readonly indexes?: Indexes
  readonly failures: FailureStreak
  readonly now: number
}

export interface Indexes {
  /** As in the status. */
  readonly completed: IndexSet
  readonly succeeded: IndexSet
  /** The indexes that exceeded the backoff limit per index, if there is one. */
  readonly failed?: IndexSet
  /** Failed pods whose index waits for the next pod. They stay tracked until it exists, because it gets the number of failures from them. */
  readonly replaceable: ReadonlyMap<number, Pod>
}

export function jobState(
  job: Job,
  pods: readonly Pod[],
  before: { readonly failures: FailureStreak; readonly now: number },
): JobState {
  const { status, spec } = job
  const ended = newlyEnded(job, pods)
  const active = pods.filter(isActive)
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const newlyFailed = ended.failed.filter((pod) => countsAsFailure(spec.podFailurePolicy, pod))
  const indexes = spec.completionMode === 'Indexed' ? indexesOf(job, pods, active) : undefined
  return {
    job,
    pods,
    active,
    succeeded: indexes?.succeeded.size ?? (status.succeeded ?? 0) + ended.succeeded.length + succeeded.length,
    failed: (status.failed ?? 0) + newlyFailed.length + failed.length,
    ...(indexes && { indexes }),
    failures: streakAfter(before.failures, ended),
    now: before.now,
  }
}

/** Pods that have ended and that the status neither counts nor lists. */
function newlyEnded(job: Job, pods: readonly Pod[]): EndedPods {
  return ended(job, pods.filter(isNewIn(job)))
}

/** Pods that have ended and that the status knows. A new process takes the failures before its start from them. */
export function endedBefore(job: Job, pods: readonly Pod[]): EndedPods {
  const isNew = isNewIn(job)
  return ended(
    job,
    pods.filter((pod) => !isNew(pod)),
  )
}

function isNewIn({ status }: Job): (pod: Pod) => boolean {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const listed = new Set([...succeeded, ...failed])
  return (pod) => isTracked(pod) && !listed.has(pod.metadata.uid!)
}

function ended(job: Job, pods: readonly Pod[]): EndedPods {
  const countable = pods.filter((pod) => isCountable(pod, job))
  return {
    succeeded: countable.filter(({ status }) => status.phase === 'Succeeded'),
    failed: countable.filter((pod) => hasFailed(pod, job)),
  }
}

function indexesOf(job: Job, pods: readonly Pod[], active: readonly Pod[]): Indexes {
  const { spec, status } = job
  const completions = spec.completions ?? 0
  const tracked = pods.filter((pod) => isTracked(pod) && isCountable(pod, job))
  const completed = IndexSet.parse(status.completedIndexes ?? '', completions)
  const succeeded = completed.union(indexesOfPods(tracked.filter((pod) => pod.status.phase === 'Succeeded')))
  if (spec.backoffLimitPerIndex === undefined) return { completed, succeeded, replaceable: new Map() }
  const failedBefore = IndexSet.parse(status.failedIndexes ?? '', completions)
  const failed = failedBefore.union(indexesOfPods(tracked.filter((pod) => failsItsIndex(pod, job))))
  const settled = succeeded.union(failed).union(indexesOfPods(active))
  return {
    completed,
    succeeded,
    failed,
    replaceable: replaceablePods(
      tracked.filter((pod) => hasFailed(pod, job)),
      settled,
    ),
  }
}

export function indexesOfPods(pods: readonly Pod[]): IndexSet {
  return IndexSet.of(pods.map(completionIndexOf).filter((index) => index !== undefined))
}

function failsItsIndex(pod: Pod, job: Job): boolean {
  if (!hasFailed(pod, job)) return false
  const { action } = matchFailurePolicy(job.spec.podFailurePolicy, pod)
  if (action === 'FailIndex') return true
  return action !== 'Ignore' && earlierFailures(pod).counted >= job.spec.backoffLimitPerIndex!
}

/** The last failed pod of each index: the one that counts the most failures. */
function replaceablePods(failed: readonly Pod[], settled: IndexSet): ReadonlyMap<number, Pod> {
  const last = new Map<number, Pod>()
  for (const pod of failed) {
    const index = completionIndexOf(pod)!
    const known = last.get(index)
    if (!settled.has(index) && (!known || isLater(pod, known))) last.set(index, pod)
  }
  return last
}

function isLater(pod: Pod, other: Pod): boolean {
  const failures = (one: Pod) => earlierFailures(one).counted + earlierFailures(one).ignored
  return failures(other) <= failures(pod) && finishedAt(other) <= finishedAt(pod)
}
