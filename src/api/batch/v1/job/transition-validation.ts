/** Rejects transitions of the status that revert progress. */
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Job } from '../job.js'
import { isConditionTrue } from './conditions.js'

const path = fieldPath('status')

export function validateJobTransition(job: Job, old: Job): readonly field.FieldError[] {
  return [
    ...validateTerminalConditions(job, old),
    ...validateCounters(job, old),
    ...validateTimes(job, old),
    ...validateSuccessCriteria(job, old),
  ]
}

function conditionError(why: string): field.FieldError {
  return field.invalid(path.child('conditions'), field.omitted, why)
}

function validateTerminalConditions(job: Job, old: Job): readonly field.FieldError[] {
  return (['Failed', 'Complete', 'FailureTarget'] as const)
    .filter((type) => isConditionTrue(old, type) && !isConditionTrue(job, type))
    .map((type) => conditionError(`cannot disable the terminal ${type}=True condition`))
}

function validateCounters({ spec, status }: Job, old: Job): readonly field.FieldError[] {
  const { failed = 0, succeeded = 0 } = status
  const errors: field.FieldError[] = []
  if (failed < (old.status.failed ?? 0))
    errors.push(field.invalid(path.child('failed'), failed, 'cannot decrease the failed counter'))
  // A job with fewer completions loses the indexes beyond them.
  const canShrink = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism
  if (!canShrink && succeeded < (old.status.succeeded ?? 0))
    errors.push(field.invalid(path.child('succeeded'), succeeded, 'cannot decrease the succeeded counter'))
  return errors
}

function validateTimes({ spec, status }: Job, old: Job): readonly field.FieldError[] {
  const { startTime, completionTime } = status
  const { startTime: oldStart, completionTime: oldCompletion } = old.status
  const errors: field.FieldError[] = []
  if (completionTime !== undefined && oldCompletion !== undefined && completionTime !== oldCompletion)
    errors.push(field.invalid(path.child('completionTime'), completionTime, 'completionTime cannot be mutated'))
  if (oldStart !== undefined && startTime !== oldStart && !spec.suspend)
    errors.push(field.required(path.child('startTime'), 'startTime cannot be removed for unsuspended job'))
  return errors
}

function validateSuccessCriteria(job: Job, old: Job): readonly field.FieldError[] {
  const wasMet = isConditionTrue(old, 'SuccessCriteriaMet')
  const isMet = isConditionTrue(job, 'SuccessCriteriaMet')
  if (wasMet && !isMet) return [conditionError('cannot disable the SuccessCriteriaMet=True condition')]
  if (!wasMet && isMet && isConditionTrue(old, 'Complete'))
    return [conditionError('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')]
  return field.none
}
