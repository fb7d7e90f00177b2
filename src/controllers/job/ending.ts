import type { Job, JobConditionType } from '../../api/batch/v1/job.js'
import { parseTime } from '../../schema/values/time.js'
import { matchFailurePolicy } from './failure-policy.js'
import type { Indexes, JobState } from './job-state.js'
import { matchSuccessPolicy } from './success-policy.js'
import { hasFailed } from './tracked-pods.js'

/** How a job ends. The condition `declaredAs` is set first, and `endsAs` when all pods are gone. */
export interface JobEnding {
  readonly declaredAs: 'SuccessCriteriaMet' | 'FailureTarget'
  readonly endsAs: 'Complete' | 'Failed'
  readonly reason: string
  readonly message: string
}

/** Why the job must end now, even if pods are running; undefined if it continues. An ending that was declared stands. */
export function endingOf(state: JobState): JobEnding | undefined {
  const { job } = state
  return declared(job) ?? failureByPolicy(state) ?? failureByLimits(state) ?? endingByIndexes(state)
}

/** Set if enough pods have succeeded and none is active. */
export function completedEnding({ job, succeeded }: JobState, active: number): JobEnding | undefined {
  const wanted = job.spec.completions ?? 1 // without completions, one success means that the work is done
  if (active > 0 || succeeded < wanted) return undefined
  return success('CompletionsReached', 'Reached expected number of succeeded pods')
}

function declared({ status }: Job): JobEnding | undefined {
  const find = (wanted: JobConditionType) =>
    status.conditions?.find((condition) => condition.type === wanted && condition.status === 'True')
  const met = find('SuccessCriteriaMet')
  if (met) return success(met.reason ?? '', met.message ?? '')
  const missed = find('FailureTarget')
  return missed && failure(missed.reason ?? '', missed.message ?? '')
}

function failureByPolicy({ job, pods }: JobState): JobEnding | undefined {
  const { podFailurePolicy } = job.spec
  if (!podFailurePolicy) return undefined
  for (const pod of pods) {
    if (!hasFailed(pod, job)) continue
    const { message } = matchFailurePolicy(podFailurePolicy, pod)
    if (message !== undefined) return failure('PodFailurePolicy', message)
  }
  return undefined
}

function failureByLimits(state: JobState): JobEnding | undefined {
  const { job, failed } = state
  if (failed > job.spec.backoffLimit! || restartedTooOften(state))
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  if (remainingTime(state) === 0) return failure('DeadlineExceeded', 'Job was active longer than specified deadline')
  return undefined
}

/** With the restart policy OnFailure, restarts of containers count as attempts. */
function restartedTooOften({ job, pods }: JobState): boolean {
  const { template, backoffLimit = 0 } = job.spec
  if (template.spec?.restartPolicy !== 'OnFailure') return false
  let restarts = 0
  for (const { status } of pods) {
    if (status.phase !== 'Running' && status.phase !== 'Pending') continue
    for (const container of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
      restarts += container.restartCount
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit
}

/** Milliseconds until the deadline; undefined if there is none, or the job is suspended. */
export function remainingTime({ job, now }: JobState): number | undefined {
  const { activeDeadlineSeconds, suspend } = job.spec
  if (activeDeadlineSeconds === undefined || suspend) return undefined
  const started = job.status.startTime === undefined ? now : parseTime(job.status.startTime)
  return Math.max(0, started + activeDeadlineSeconds * 1000 - now)
}

function endingByIndexes({ job, indexes }: JobState): JobEnding | undefined {
  if (!indexes) return undefined
  const { successPolicy, completions = 0 } = job.spec
  const failed = failedIndexesEnding(job, indexes)
  if (failed) return failed
  const message = matchSuccessPolicy(successPolicy, indexes.succeeded, completions)
  return message === undefined ? undefined : success('SuccessPolicy', message)
}

function failedIndexesEnding({ spec }: Job, { failed, succeeded }: Indexes): JobEnding | undefined {
  if (!failed || failed.size === 0) return undefined
  const { maxFailedIndexes = Number.POSITIVE_INFINITY, completions = 0 } = spec
  if (failed.size > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes'
    return failure('MaxFailedIndexesExceeded', message)
  }
  return failed.size + succeeded.size >= completions ? failure('FailedIndexes', 'Job has failed indexes') : undefined
}

function success(reason: string, message: string): JobEnding {
  return { declaredAs: 'SuccessCriteriaMet', endsAs: 'Complete', reason, message }
}

function failure(reason: string, message: string): JobEnding {
  return { declaredAs: 'FailureTarget', endsAs: 'Failed', reason, message }
}
