/**
 * How every pod that ends is counted once, though the loop may be killed at any moment:
 *
 * 1. The status lists the pods that have ended and were not counted yet. Then their finalizers are removed.
 * 2. What is listed and has no finalizer is counted and leaves the list, in one write.
 *
 * So a pod that carries its finalizer is either unknown to the status or listed, and never counted; one that does not is never looked at
 * again. An indexed job lists no successes: which indexes have succeeded is in the status in any case.
 */
import type { JobStatus } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { countsAsFailure } from './failure-policy.js'
import type { Situation } from './situation.js'
import { canonical } from './status.js'
import { completionIndexOf, hasFailed, isCountable, isTracked } from './tracked-pods.js'
import type { Verdict } from './verdict.js'

export interface Tracking {
  /** To be written before anything is released. */
  readonly status: JobStatus
  /** Whose finalizers are then to be removed. */
  readonly release: readonly Pod[]
  /** Whether more have to be released later. */
  readonly isPartial: boolean
}

/** One look releases no more, so that neither the list grows without bounds nor other jobs wait for long. */
const mostAtOnce = 500

export function track(situation: Situation, status: JobStatus, verdict: Verdict | undefined): Tracking {
  const tracked = inOrder(situation).filter(isTracked)
  const settled = counted(status, uidsOf(tracked))
  const releasable = tracked.filter((pod) => mayRelease(pod, situation, verdict))
  const release = releasable.slice(0, mostAtOnce)
  const { succeeded = [], failed = [] } = settled.uncountedTerminatedPods ?? {}
  const known = new Set([...succeeded, ...failed])
  const unknown = release.filter(({ metadata }) => !known.has(metadata.uid!))
  const uncountedTerminatedPods = {
    succeeded: [...succeeded, ...uidsOf(unknown.filter((pod) => isListedSuccess(pod, situation)))],
    failed: [...failed, ...uidsOf(unknown.filter((pod) => isFailure(pod, situation, verdict)))],
  }
  const isPartial = release.length < releasable.length
  return { status: canonical({ ...settled, uncountedTerminatedPods }), release, isPartial }
}

/** What is listed and has no finalizer any more, counted. */
export function counted(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const stillListed = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  }
  return canonical({
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - stillListed.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - stillListed.failed.length,
    uncountedTerminatedPods: stillListed,
  })
}

export function uidsOf(pods: readonly Pod[]): ReadonlySet<string> {
  return new Set(pods.map(({ metadata }) => metadata.uid!))
}

/** Where not all can be told at once, indexes are told in order. */
function inOrder({ indexes, pods }: Situation): readonly Pod[] {
  const index = (pod: Pod) => completionIndexOf(pod) ?? -1
  return indexes ? [...pods].sort((left, right) => index(left) - index(right)) : pods
}

function mayRelease(pod: Pod, { job, indexes }: Situation, verdict: Verdict | undefined): boolean {
  if (verdict || job.metadata.deletionTimestamp !== undefined || pod.status.phase === 'Succeeded') return true
  if (!hasFailed(pod, job)) return false
  const waiting = indexes?.replaceable.get(completionIndexOf(pod) ?? -1)
  return waiting?.metadata.uid !== pod.metadata.uid
}

function isListedSuccess({ status }: Pod, { indexes }: Situation): boolean {
  return status.phase === 'Succeeded' && !indexes
}

/** When a job fails, what still runs fails with it. */
function isFailure(pod: Pod, { job }: Situation, verdict: Verdict | undefined): boolean {
  if (pod.status.phase === 'Succeeded' || !isCountable(pod, job)) return false
  const isFailed = hasFailed(pod, job) || verdict?.endsAs === 'Failed'
  return isFailed && countsAsFailure(job.spec.podFailurePolicy, pod)
}
