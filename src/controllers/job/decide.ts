import { isConditionTrue } from '../../api/batch/v1/job/conditions.js'
import type { Job, JobStatus } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { completedEnding, endingOf, type JobEnding, remainingTime } from './ending.js'
import type { JobState } from './job-state.js'
import { noPodChanges, type PodPlan, planPods } from './pod-plan.js'
import { endedStatus, jobStatus, type PodCounts, withDeclaredEnding, withSuspension } from './status.js'
import { isTracked } from './tracked-pods.js'
import { countReleased, type Tracking, track, uidsOf } from './tracking.js'

/** A reconcile has three stages, each of which depends on the results of the one before. `tracking.ts` explains their order. */
export type JobObservation =
  | { readonly stage: 'pods'; readonly state: JobState }
  | {
      readonly stage: 'tracking'
      readonly state: JobState
      readonly decision: JobPodDecision
      readonly result: PodChangeResult
    }
  | {
      readonly stage: 'counting'
      readonly state: JobState
      readonly decision: TrackingDecision
      /** The job with the uncounted pods in its status. */
      readonly job: Job
      readonly released: ReleaseResult
    }

/** What changed among the pods. A failure does not keep the status from being written. */
export interface PodChangeResult extends PodCounts {
  readonly error?: unknown
}

export interface ReleaseResult {
  /** The pods that no longer have the finalizer. */
  readonly pods: readonly Pod[]
  readonly error?: unknown
}

export type JobDecision = JobPodDecision | TrackingDecision | CountingDecision

export interface JobPodDecision {
  readonly do: 'change pods'
  /** Set if the job ends now: then all active pods are deleted. */
  readonly ending: JobEnding | undefined
  readonly plan: PodPlan
}

export interface TrackingDecision {
  readonly do: 'list and release pods'
  readonly tracking: Tracking
  /** Set if the job ends and all its active pods were deleted. */
  readonly ending: JobEnding | undefined
  /** Thrown at the end of the reconcile. */
  readonly error: unknown
  readonly requeueAfter: number | undefined
}

export interface CountingDecision {
  readonly do: 'count pods'
  readonly status: JobStatus
  readonly ending: JobEnding | undefined
  /** Thrown at the end of the reconcile. */
  readonly error: unknown
  readonly requeueAfter: number | undefined
}

export function decide(observation: JobObservation): JobDecision {
  switch (observation.stage) {
    case 'pods':
      return decidePods(observation.state)
    case 'tracking':
      return decideTracking(observation)
    case 'counting':
      return decideCounting(observation)
  }
}

function decidePods(state: JobState): JobPodDecision {
  const ending = endingOf(state)
  if (ending) return { do: 'change pods', ending, plan: { ...noPodChanges, remove: state.active } }
  return { do: 'change pods', ending, plan: isBeingDeleted(state.job) ? noPodChanges : planPods(state) }
}

function isBeingDeleted({ metadata }: Job): boolean {
  return metadata.deletionTimestamp !== undefined
}

function decideTracking({
  state,
  decision,
  result,
}: JobObservation & { readonly stage: 'tracking' }): TrackingDecision {
  const { job, now } = state
  const { error, ...counts } = result
  // A job does not end while a pod runs that could not be deleted.
  const declared = error === undefined ? decision.ending : undefined
  const ending = decision.ending ? declared : completedEnding(state, counts.active)
  const status = jobStatus(state, counts)
  const isContinuing = !decision.ending && !isBeingDeleted(job)
  const changed = ending
    ? withDeclaredEnding(status, ending, now)
    : isContinuing
      ? withSuspension(job, status, now)
      : status
  const tracking = track(state, changed, ending)
  return { do: 'list and release pods', tracking, ending, error, requeueAfter: requeueAfter(state, decision.plan) }
}

function requeueAfter(state: JobState, { after }: PodPlan): number | undefined {
  const waits = [after, remainingTime(state)].filter((wait) => wait !== undefined).filter((wait) => wait > 0)
  return waits.length > 0 ? Math.min(...waits) : undefined
}

function decideCounting({
  state,
  decision,
  job,
  released,
}: JobObservation & { readonly stage: 'counting' }): CountingDecision {
  const { tracking, ending, error, requeueAfter } = decision
  const tracked = new Set(uidsOf(state.pods.filter(isTracked)))
  for (const uid of uidsOf(released.pods)) tracked.delete(uid)
  const counted = countReleased(job.status, tracked)
  const mayEnd = ending && !tracking.isPartial && released.error === undefined
  const status = (mayEnd && endedStatus(counted, ending, state.now)) || counted
  return { do: 'count pods', status, ending, error: released.error ?? error, requeueAfter }
}

interface JobEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Reports that a job was suspended or resumed. */
export function suspensionEvents(before: Job, job: Job): readonly JobEvent[] {
  const isSuspended = isConditionTrue(job, 'Suspended')
  if (isSuspended === isConditionTrue(before, 'Suspended')) return []
  return isSuspended
    ? [{ type: 'Normal', reason: 'Suspended', message: 'Job suspended' }]
    : [{ type: 'Normal', reason: 'Resumed', message: 'Job resumed' }]
}

/** Reports the end of a job. */
export function endingEvents({ spec, status }: Job, { endsAs, reason, message }: JobEnding): readonly JobEvent[] {
  if (endsAs === 'Failed') return [{ type: 'Warning', reason, message }]
  const completed: JobEvent = { type: 'Normal', reason: 'Completed', message: 'Job completed' }
  if ((status.succeeded ?? 0) <= (spec.completions ?? Number.POSITIVE_INFINITY)) return [completed]
  const tooMany = 'Too many succeeded pods running after completion count reached'
  return [{ type: 'Warning', reason: 'TooManySucceededPods', message: tooMany }, completed]
}
