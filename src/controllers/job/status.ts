import { isConditionTrue } from '../../api/batch/v1/job/conditions.js'
import type { Job, JobCondition, JobStatus } from '../../api/batch/v1/job.js'
import { formatTime } from '../../schema/values/time.js'
import { isReady, isTerminating } from '../pods/readiness.js'
import type { JobEnding } from './ending.js'
import type { JobState } from './job-state.js'

/** The counts of the status. */
export interface PodCounts {
  readonly active: number
  readonly ready: number
  readonly terminating: number
}

/** The counts before pods are created or deleted. */
export function podCounts({ active, pods }: JobState): PodCounts {
  return {
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
  }
}

/** The status after pods were created or deleted. Pods that have ended are counted later. */
export function jobStatus(state: JobState, counts: PodCounts): JobStatus {
  const { job, indexes, now } = state
  const { status, spec } = job
  const startTime = status.startTime ?? (spec.suspend ? undefined : formatTime(now))
  return canonical({
    ...status,
    ...counts,
    startTime,
    ...(indexes && { completedIndexes: indexes.succeeded.toString(), succeeded: indexes.succeeded.size }),
    failedIndexes: indexes?.failed?.toString(),
  })
}

/** Leaves out zeros and empty values as the API server does, so that the same status is not written again. */
export function canonical(status: { readonly [K in keyof JobStatus]: JobStatus[K] | undefined }): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const uncountedTerminatedPods = {
    ...(succeeded.length > 0 && { succeeded }),
    ...(failed.length > 0 && { failed }),
  }
  const kept = Object.entries({ ...status, uncountedTerminatedPods }).filter(
    ([field, value]) => value !== undefined && (keptZeros.has(field) || !isZero(value)),
  )
  return Object.fromEntries(kept) as JobStatus // the same fields
}

const keptZeros: ReadonlySet<string> = new Set(['ready', 'terminating', 'failedIndexes', 'uncountedTerminatedPods'])

function isZero(value: unknown): boolean {
  return value === 0 || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Updates the condition Suspended of a job that does not end. A job that is resumed gets a new start time. */
export function withSuspension(job: Job, status: JobStatus, now: number): JobStatus {
  const isSuspended = isConditionTrue(job, 'Suspended')
  if (job.spec.suspend) {
    const { startTime: _, ...stopped } = status
    const suspended = { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' } as const
    return isSuspended ? status : { ...stopped, conditions: withCondition(status, suspended, now) }
  }
  if (!isSuspended) return status
  const resumed = { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' } as const
  return { ...status, startTime: formatTime(now), conditions: withCondition(status, resumed, now) }
}

/** Declares how the job ends, before any of its pods is released: if the process is killed here, the next one decides the same. */
export function withDeclaredEnding(
  status: JobStatus,
  { declaredAs, reason, message }: JobEnding,
  now: number,
): JobStatus {
  if (isConditionTrue({ status }, declaredAs)) return status
  return { ...status, conditions: withCondition(status, { type: declaredAs, status: 'True', reason, message }, now) }
}

/** The status of a job that has ended; undefined while pods are uncounted or terminating. */
export function endedStatus(status: JobStatus, ending: JobEnding, now: number): JobStatus | undefined {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  if (succeeded.length + failed.length > 0 || (status.terminating ?? 0) > 0) return undefined
  const { endsAs, reason, message } = ending
  const conditions = withCondition(status, { type: endsAs, status: 'True', reason, message }, now)
  return { ...status, conditions, ...(endsAs === 'Complete' && { completionTime: formatTime(now) }) }
}

function withCondition(
  { conditions = [] }: JobStatus,
  condition: Omit<JobCondition, 'lastProbeTime' | 'lastTransitionTime'>,
  now: number,
): readonly JobCondition[] {
  const time = formatTime(now)
  const timed = { ...condition, lastProbeTime: time, lastTransitionTime: time }
  const position = conditions.findIndex(({ type }) => type === condition.type)
  return position < 0 ? [...conditions, timed] : conditions.with(position, timed)
}
