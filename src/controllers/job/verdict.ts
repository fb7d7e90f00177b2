import type { Job, JobConditionType } from '../../api/batch/v1/job.js'
import { parseTime } from '../../schema/values/time.js'
import { judgeFailure } from './failure-policy.js'
import type { Indexes, Situation } from './situation.js'
import { enoughSucceeded } from './success-policy.js'
import { hasFailed } from './tracked-pods.js'

/** How a job ends. It is declared first (`declaredAs`), and only when nothing of the job is left it has ended (`endsAs`). */
export interface Verdict {
  readonly declaredAs: 'SuccessCriteriaMet' | 'FailureTarget'
  readonly endsAs: 'Complete' | 'Failed'
  readonly reason: string
  readonly message: string
}

/** Whether the job must end now, though pods of it may be running. What was declared stands. */
export function verdictOn(situation: Situation): Verdict | undefined {
  const { job } = situation
  return declared(job) ?? failureByPolicy(situation) ?? failureByLimits(situation) ?? verdictOnIndexes(situation)
}

/** Whether all that was asked for has succeeded, and nothing runs any more. */
export function completion({ job, succeeded }: Situation, active: number): Verdict | undefined {
  const wanted = job.spec.completions ?? 1 // of no particular number: one says for all of them that the work is done
  if (active > 0 || succeeded < wanted) return undefined
  return success('CompletionsReached', 'Reached expected number of succeeded pods')
}

function declared({ status }: Job): Verdict | undefined {
  const find = (wanted: JobConditionType) =>
    status.conditions?.find((condition) => condition.type === wanted && condition.status === 'True')
  const met = find('SuccessCriteriaMet')
  if (met) return success(met.reason ?? '', met.message ?? '')
  const missed = find('FailureTarget')
  return missed && failure(missed.reason ?? '', missed.message ?? '')
}

function failureByPolicy({ job, pods }: Situation): Verdict | undefined {
  const { podFailurePolicy } = job.spec
  if (!podFailurePolicy) return undefined
  for (const pod of pods) {
    if (!hasFailed(pod, job)) continue
    const { message } = judgeFailure(podFailurePolicy, pod)
    if (message !== undefined) return failure('PodFailurePolicy', message)
  }
  return undefined
}

function failureByLimits(situation: Situation): Verdict | undefined {
  const { job, failed } = situation
  if (failed > job.spec.backoffLimit! || restartedTooOften(situation))
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  if (remainingTime(situation) === 0)
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline')
  return undefined
}

/** Where containers are restarted in place, their restarts are attempts. */
function restartedTooOften({ job, pods }: Situation): boolean {
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

/** Milliseconds until the deadline; undefined if there is none, or time does not run. */
export function remainingTime({ job, now }: Situation): number | undefined {
  const { activeDeadlineSeconds, suspend } = job.spec
  if (activeDeadlineSeconds === undefined || suspend) return undefined
  const started = job.status.startTime === undefined ? now : parseTime(job.status.startTime)
  return Math.max(0, started + activeDeadlineSeconds * 1000 - now)
}

function verdictOnIndexes({ job, indexes }: Situation): Verdict | undefined {
  if (!indexes) return undefined
  const { successPolicy, completions = 0 } = job.spec
  const failed = failureOfIndexes(job, indexes)
  if (failed) return failed
  const message = enoughSucceeded(successPolicy, indexes.succeeded, completions)
  return message === undefined ? undefined : success('SuccessPolicy', message)
}

function failureOfIndexes({ spec }: Job, { failed, succeeded }: Indexes): Verdict | undefined {
  if (!failed || failed.size === 0) return undefined
  const { maxFailedIndexes = Number.POSITIVE_INFINITY, completions = 0 } = spec
  if (failed.size > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes'
    return failure('MaxFailedIndexesExceeded', message)
  }
  return failed.size + succeeded.size >= completions ? failure('FailedIndexes', 'Job has failed indexes') : undefined
}

function success(reason: string, message: string): Verdict {
  return { declaredAs: 'SuccessCriteriaMet', endsAs: 'Complete', reason, message }
}

function failure(reason: string, message: string): Verdict {
  return { declaredAs: 'FailureTarget', endsAs: 'Failed', reason, message }
}
