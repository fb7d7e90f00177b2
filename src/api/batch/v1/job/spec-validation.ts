/** Validates the spec of a job, or of the job template of a cron job. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { domainPrefixedPath } from '../../../../schema/label-names.js'
import { parsedSelector, validateSelected } from '../../../apps/v1/workload-template-validation.js'
import type { PodRulesContext } from '../../../core/v1/pod/validation-context.js'
import { validatePodTemplateSpec } from '../../../core/v1/pod-template/validation.js'
import { validateLabelSelector } from '../../../selectors/label-selector-validation.js'
import { validateNoneNegative } from '../../../validation/numbers.js'
import type { JobSpec } from '../job.js'
import { validatePodFailurePolicy } from './pod-failure-policy-validation.js'
import { validateSuccessPolicy } from './success-policy-validation.js'

const maximumParallelism = 100_000
const maximumFailedIndexes = 100_000
/** Above this number of completions, the limits for failed indexes are lower. */
const manyCompletions = 100_000
const limitForMany = 10_000
const maximumManagedBy = 63

/** Validates the spec of a job with its selector. */
export function validateJobSpec(spec: JobSpec, path: FieldPath, context: PodRulesContext): readonly field.FieldError[] {
  const selectorPath = path.child('selector')
  const selector = parsedSelector(spec.selector)
  return [
    ...validateUnselectedJobSpec(spec, path, context),
    ...(spec.selector ? validateLabelSelector(spec.selector, selectorPath) : [field.required(selectorPath)]),
    ...(selector ? validateSelected(spec.template, selector, path.child('template')) : []),
  ]
}

/** Validates a spec without the selector, which a job gets on creation. */
export function validateUnselectedJobSpec(
  spec: JobSpec,
  path: FieldPath,
  context: PodRulesContext,
): readonly field.FieldError[] {
  const { podFailurePolicy, successPolicy } = spec
  return [
    ...validateNumbers(spec, path),
    ...validateManagedBy(spec.managedBy, path.child('managedBy')),
    ...validateCompletionMode(spec, path),
    ...(podFailurePolicy ? validatePodFailurePolicy(podFailurePolicy, spec, path.child('podFailurePolicy')) : []),
    ...(successPolicy ? validateSuccessPolicy(successPolicy, spec, path.child('successPolicy')) : []),
    ...validateReplacement(spec, path.child('podReplacementPolicy')),
    ...validatePodTemplateSpec(spec.template, path.child('template'), context),
    ...validateRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy')),
  ]
}

const numbers = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const satisfies readonly (keyof JobSpec)[]

function validateNumbers(spec: JobSpec, path: FieldPath): readonly field.FieldError[] {
  const errors = validateNoneNegative(spec, numbers, path)
  if (spec.maxFailedIndexes === undefined || spec.backoffLimitPerIndex !== undefined) return errors
  return [...errors, field.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
}

function validateManagedBy(manager: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (manager === undefined) return field.none
  const tooLong = Buffer.byteLength(manager) > maximumManagedBy ? [field.tooLong(path, maximumManagedBy)] : []
  return [...domainPrefixedPath(path, manager), ...tooLong]
}

function validateCompletionMode(spec: JobSpec, path: FieldPath): readonly field.FieldError[] {
  const { completionMode = 'NonIndexed' } = spec
  if (completionMode === 'Indexed') return validateIndexed(spec, path)
  if (completionMode === 'NonIndexed') return validateNotIndexed(spec, path)
  return [field.notSupported(path.child('completionMode'), completionMode, ['NonIndexed', 'Indexed'])]
}

function validateNotIndexed(spec: JobSpec, path: FieldPath): readonly field.FieldError[] {
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((name) =>
    spec[name] === undefined
      ? field.none
      : [field.invalid(path.child(name), spec[name], 'requires indexed completion mode')],
  )
}

function validateIndexed(spec: JobSpec, path: FieldPath): readonly field.FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes = 0, backoffLimitPerIndex } = spec
  const failedPath = path.child('maxFailedIndexes')
  const errors: field.FieldError[] = []
  if (completions === undefined)
    errors.push(field.required(path.child('completions'), 'when completion mode is Indexed'))
  if (parallelism > maximumParallelism) {
    const why = `must be less than or equal to ${maximumParallelism} when completion mode is Indexed`
    errors.push(field.invalid(path.child('parallelism'), parallelism, why))
  }
  if (completions !== undefined && maxFailedIndexes > completions)
    errors.push(field.invalid(failedPath, maxFailedIndexes, 'must be less than or equal to completions'))
  if (maxFailedIndexes > maximumFailedIndexes)
    errors.push(field.invalid(failedPath, maxFailedIndexes, `must be less than or equal to ${maximumFailedIndexes}`))
  if (completions !== undefined && completions > manyCompletions && backoffLimitPerIndex !== undefined)
    errors.push(...validateManyIndexes(spec, path))
  return errors
}

function validateManyIndexes(
  { parallelism = 0, maxFailedIndexes }: JobSpec,
  path: FieldPath,
): readonly field.FieldError[] {
  const why = `must be less than or equal to ${limitForMany} when completions are above ${manyCompletions} and used with backoff limit per index`
  const failedPath = path.child('maxFailedIndexes')
  const errors: field.FieldError[] = []
  if (maxFailedIndexes === undefined)
    errors.push(field.required(failedPath, `must be specified when completions is above ${manyCompletions}`))
  if (parallelism > limitForMany) errors.push(field.invalid(path.child('parallelism'), parallelism, why))
  if (maxFailedIndexes !== undefined && maxFailedIndexes > limitForMany)
    errors.push(field.invalid(failedPath, maxFailedIndexes, why))
  return errors
}

/** A pod failure policy applies to failed pods only, so it requires the replacement policy `Failed`. */
function validateReplacement(
  { podReplacementPolicy, podFailurePolicy }: JobSpec,
  path: FieldPath,
): readonly field.FieldError[] {
  if (podReplacementPolicy === undefined) return field.none
  const choices = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed']
  return choices.includes(podReplacementPolicy) ? field.none : [field.notSupported(path, podReplacementPolicy, choices)]
}

/** `Always` is the default of pods, so it counts as absent. */
function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: FieldPath): readonly field.FieldError[] {
  const { restartPolicy = '' } = template.spec ?? {}
  switch (restartPolicy) {
    case '':
    case 'Always':
      return [field.required(path, 'valid values: "OnFailure", "Never"')]
    case 'Never':
      return field.none
    case 'OnFailure':
      if (!podFailurePolicy) return field.none
      return [field.invalid(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')]
    default:
      return [field.notSupported(path, restartPolicy, ['OnFailure', 'Never'])]
  }
}
