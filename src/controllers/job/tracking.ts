/**
 * Counts every pod that ends exactly once, even if the process is killed at any moment:
 *
 * 1. The status lists the pods that have ended and are not counted. Then their finalizers are removed.
 * 2. Listed pods without finalizer are counted and removed from the list, in one write.
 *
 * So a pod with the finalizer is not counted: the status lists it or does not know it. A pod without finalizer is never considered again. An
 * indexed job does not list succeeded pods, because the status has the succeeded indexes.
 */
import type { JobStatus } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { JobEnding } from './ending.js'
import { countsAsFailure } from './failure-policy.js'
import type { JobState } from './job-state.js'
import { canonical } from './status.js'
import { completionIndexOf, hasFailed, isCountable, isTracked } from './tracked-pods.js'

export interface Tracking {
  /** To be written before any pod is released. */
  readonly status: JobStatus
  /** The pods whose finalizers are removed after that. */
  readonly release: readonly Pod[]
  /** Whether more pods have to be released later. */
  readonly isPartial: boolean
}

/** The most pods that are released in one reconcile, so that the list stays short and other jobs do not wait long. */
const burst = 500

export function track(state: JobState, status: JobStatus, ending: JobEnding | undefined): Tracking {
  const tracked = byIndex(state).filter(isTracked)
  const counted = countReleased(status, uidsOf(tracked))
  const releasable = tracked.filter((pod) => mayRelease(pod, state, ending))
  const release = releasable.slice(0, burst)
  const { succeeded = [], failed = [] } = counted.uncountedTerminatedPods ?? {}
  const known = new Set([...succeeded, ...failed])
  const unknown = release.filter(({ metadata }) => !known.has(metadata.uid!))
  const uncountedTerminatedPods = {
    succeeded: [...succeeded, ...uidsOf(unknown.filter((pod) => isListedSuccess(pod, state)))],
    failed: [...failed, ...uidsOf(unknown.filter((pod) => isFailure(pod, state, ending)))],
  }
  const isPartial = release.length < releasable.length
  return { status: canonical({ ...counted, uncountedTerminatedPods }), release, isPartial }
}

/** Counts listed pods that are not among the tracked ones. */
export function countReleased(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
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

/** By index, so that a partial release releases the lowest indexes first. */
function byIndex({ indexes, pods }: JobState): readonly Pod[] {
  const index = (pod: Pod) => completionIndexOf(pod) ?? -1
  return indexes ? [...pods].sort((left, right) => index(left) - index(right)) : pods
}

function mayRelease(pod: Pod, { job, indexes }: JobState, ending: JobEnding | undefined): boolean {
  if (ending || job.metadata.deletionTimestamp !== undefined || pod.status.phase === 'Succeeded') return true
  if (!hasFailed(pod, job)) return false
  const waiting = indexes?.replaceable.get(completionIndexOf(pod) ?? -1)
  return waiting?.metadata.uid !== pod.metadata.uid
}

function isListedSuccess({ status }: Pod, { indexes }: JobState): boolean {
  return status.phase === 'Succeeded' && !indexes
}

/** When a job fails, its running pods fail with it. */
function isFailure(pod: Pod, { job }: JobState, ending: JobEnding | undefined): boolean {
  if (pod.status.phase === 'Succeeded' || !isCountable(pod, job)) return false
  const isFailed = hasFailed(pod, job) || ending?.endsAs === 'Failed'
  return isFailed && countsAsFailure(job.spec.podFailurePolicy, pod)
}
