import { isConditionTrue } from '../../api/batch/v1/job/conditions.js'
import type { Job, JobCondition, JobStatus } from '../../api/batch/v1/job.js'
import { formatTime } from '../../schema/values/time.js'
import type { Situation } from './situation.js'
import type { Verdict } from './verdict.js'

/** How many pods there are once the loop has done what it could. */
export interface PodCounts {
  readonly active: number
  readonly ready: number
  readonly terminating: number
}

/** What the status says as soon as that is done; of what has ended it says nothing new yet. */
export function jobStatus(situation: Situation, counts: PodCounts): JobStatus {
  const { job, indexes, now } = situation
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

/** What is nothing is left out, as the server does: so that a status that says nothing new is seen to be the same. */
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

/** A job that goes on is suspended or has been resumed; its time begins anew each time. */
export function suspendedOrResumed(job: Job, status: JobStatus, now: number): JobStatus {
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

/** Said before any pod of it is let go: should the loop end here, the next one comes to the same end. */
export function declaring(status: JobStatus, { declaredAs, reason, message }: Verdict, now: number): JobStatus {
  if (isConditionTrue({ status }, declaredAs)) return status
  return { ...status, conditions: withCondition(status, { type: declaredAs, status: 'True', reason, message }, now) }
}

/** A job has ended when every pod of it is counted and none is still going. */
export function ended(status: JobStatus, verdict: Verdict, now: number): JobStatus | undefined {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  if (succeeded.length + failed.length > 0 || (status.terminating ?? 0) > 0) return undefined
  const { endsAs, reason, message } = verdict
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
