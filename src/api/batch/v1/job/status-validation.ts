/** Validates the status of a job: a finished job stays finished, and its counts are consistent. */
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { ValueError } from '../../../../schema/value-error.js'
import { parseTime } from '../../../../schema/values/time.js'
import { isSame } from '../../../validation/immutability.js'
import { validateNoneNegative } from '../../../validation/numbers.js'
import type { Job, JobConditionType, JobStatus, UncountedTerminatedPods } from '../job.js'
import { isConditionTrue, isFinished } from './conditions.js'
import { countIndexes, overlapOf } from './indexes.js'
import { validateJobTransition } from './transition-validation.js'

const path = fieldPath('status')

/**
 * Validates only changed fields, so that a status with old problems can still be written, and the controller has time to follow a change
 * of the spec.
 */
export function validateJobStatusUpdate(job: Job, old: Job): readonly field.FieldError[] {
  const changes = changesBetween(job, old)
  return [
    ...validateNoneNegative(job.status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], path),
    ...validateUncounted(job.status.uncountedTerminatedPods),
    ...validateConditions(job, changes),
    ...validateFinished(job, changes),
    ...validateIndexes(job, changes),
    ...validateRunning(job, changes),
    ...validateSuccessCriteria(job),
    ...validateJobTransition(job, old),
  ]
}

interface Changes {
  field(...names: (keyof JobStatus)[]): boolean
  condition(...types: JobConditionType[]): boolean
  readonly finished: boolean
}

function changesBetween(job: Job, old: Job): Changes {
  return {
    field: (...names) => names.some((name) => !isSame(job.status[name], old.status[name])),
    condition: (...types) => types.some((type) => isConditionTrue(job, type) !== isConditionTrue(old, type)),
    finished: isFinished(job) !== isFinished(old),
  }
}

function validateUncounted(pods: UncountedTerminatedPods | undefined): readonly field.FieldError[] {
  if (!pods) return field.none
  const seen = new Set<string>()
  return (['succeeded', 'failed'] as const).flatMap((name) =>
    (pods[name] ?? []).flatMap((uid, i) => {
      const where = path.child('uncountedTerminatedPods', name).index(i)
      if (uid === '') return [field.invalid(where, uid, 'must not be empty')]
      if (seen.has(uid)) return [field.duplicate(where, uid)]
      seen.add(uid)
      return field.none
    }),
  )
}

function conditionError(why: string): field.FieldError {
  return field.invalid(path.child('conditions'), field.omitted, why)
}

function validateConditions(job: Job, changes: Changes): readonly field.FieldError[] {
  const isTrue = (type: JobConditionType) => isConditionTrue(job, type)
  const errors: field.FieldError[] = []
  if (changes.condition('Complete', 'Failed') && isTrue('Complete') && isTrue('Failed'))
    errors.push(conditionError('cannot set Complete=True and Failed=true conditions'))
  if (changes.condition('Complete', 'FailureTarget') && isTrue('Complete') && isTrue('FailureTarget'))
    errors.push(conditionError('cannot set Complete=True and FailureTarget=true conditions'))
  errors.push(...validateCompletionTime(job, changes))
  if (changes.condition('Failed', 'FailureTarget') && isTrue('Failed') && !isTrue('FailureTarget'))
    errors.push(conditionError('cannot set Failed=True condition without the FailureTarget=true condition'))
  if (changes.condition('Complete', 'SuccessCriteriaMet') && isTrue('Complete') && !isTrue('SuccessCriteriaMet'))
    errors.push(conditionError('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'))
  return errors
}

function validateCompletionTime(job: Job, changes: Changes): readonly field.FieldError[] {
  const { startTime, completionTime } = job.status
  const where = path.child('completionTime')
  const errors: field.FieldError[] = []
  if (changes.condition('Complete') || changes.field('completionTime')) {
    const isComplete = isConditionTrue(job, 'Complete')
    if (completionTime !== undefined && !isComplete)
      errors.push(
        field.invalid(where, completionTime, 'cannot set completionTime when there is no Complete=True condition'),
      )
    if (completionTime === undefined && isComplete)
      errors.push(field.required(where, 'completionTime is required for Complete jobs'))
  }
  const hasBoth = startTime !== undefined && completionTime !== undefined
  if (changes.field('startTime', 'completionTime') && hasBoth && parseTime(completionTime) < parseTime(startTime))
    errors.push(field.invalid(where, completionTime, 'completionTime cannot be set before startTime'))
  return errors
}

function validateFinished(job: Job, changes: Changes): readonly field.FieldError[] {
  if (!isFinished(job)) return field.none
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status
  const neverStarted = job.spec.suspend === true && job.spec.completions === 0
  const errors: field.FieldError[] = []
  if ((changes.finished || changes.field('active')) && active > 0)
    errors.push(field.invalid(path.child('active'), active, 'active>0 is invalid for finished job'))
  if ((changes.finished || changes.field('startTime')) && startTime === undefined && !neverStarted)
    errors.push(field.required(path.child('startTime'), 'startTime is required for finished job'))
  const { succeeded = [], failed = [] } = uncounted ?? {}
  if ((changes.finished || changes.field('uncountedTerminatedPods')) && succeeded.length + failed.length > 0) {
    const shown = { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null }
    const why = 'uncountedTerminatedPods needs to be empty for finished job'
    errors.push(field.invalid(path.child('uncountedTerminatedPods'), shown, why))
  }
  return errors
}

function validateIndexes({ spec, status }: Job, changes: Changes): readonly field.FieldError[] {
  const { completions, backoffLimitPerIndex, completionMode } = spec
  const { completedIndexes = '', failedIndexes } = status
  const completedChanged = changes.field('completedIndexes')
  const failedChanged = changes.field('failedIndexes')
  const errors: field.FieldError[] = []
  if (completedChanged && completions !== undefined)
    errors.push(...validateIndexText('completedIndexes', completedIndexes, completions))
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failedIndexes !== undefined)
    errors.push(...validateIndexText('failedIndexes', failedIndexes, completions))
  if (completedChanged && completedIndexes !== '' && completionMode !== 'Indexed') {
    const why = 'cannot set non-empty completedIndexes when non-indexed completion mode'
    errors.push(field.invalid(path.child('completedIndexes'), completedIndexes, why))
  }
  if (failedChanged && failedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    const why = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
    errors.push(field.invalid(path.child('failedIndexes'), failedIndexes, why))
  }
  if ((completedChanged || failedChanged) && completions !== undefined && failedIndexes !== undefined)
    errors.push(...validateNoOverlap(completedIndexes, failedIndexes, completions))
  return errors
}

function validateIndexText(
  name: 'completedIndexes' | 'failedIndexes',
  text: string,
  completions: number,
): readonly field.FieldError[] {
  try {
    countIndexes(text, completions)
    return field.none
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return [field.invalid(path.child(name), text, `error parsing ${name}: ${error.message}`)]
  }
}

function validateNoOverlap(completed: string, failed: string, completions: number): readonly field.FieldError[] {
  const index = overlapOf(completed, failed, completions)
  if (index === undefined) return field.none
  const why = `failedIndexes and completedIndexes overlap at index: ${index}`
  return [field.invalid(path.child('failedIndexes'), failed, why)]
}

function validateRunning(job: Job, changes: Changes): readonly field.FieldError[] {
  const { active = 0, ready, terminating = 0 } = job.status
  const errors: field.FieldError[] = []
  if ((changes.finished || changes.field('terminating')) && terminating > 0 && isFinished(job))
    errors.push(field.invalid(path.child('terminating'), terminating, 'terminating>0 is invalid for finished job'))
  if (changes.field('ready', 'active') && ready !== undefined && ready > active)
    errors.push(field.invalid(path.child('ready'), ready, 'cannot set more ready pods than active'))
  return errors
}

function validateSuccessCriteria(job: Job): readonly field.FieldError[] {
  const isMet = isConditionTrue(job, 'SuccessCriteriaMet')
  const errors: field.FieldError[] = []
  if (isMet && isConditionTrue(job, 'Failed'))
    errors.push(conditionError('cannot set SuccessCriteriaMet=True and Failed=true conditions'))
  if (isMet && isConditionTrue(job, 'FailureTarget'))
    errors.push(conditionError('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'))
  if (!isMet && job.spec.successPolicy && isConditionTrue(job, 'Complete'))
    errors.push(conditionError('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'))
  return errors
}
