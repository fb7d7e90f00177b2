/** Validates updates of the spec of a job. */
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Container } from '../../../core/v1/container.js'
import type { PodSpec } from '../../../core/v1/pod/spec.js'
import { immutable, isSame, validateImmutable } from '../../../validation/immutability.js'
import type { Job, JobSpec } from '../job.js'
import { isConditionTrue } from './conditions.js'
import { podFailurePolicyShown } from './pod-failure-policy-validation.js'
import { successPolicyShown } from './success-policy-validation.js'

const path = fieldPath('spec')

export function validateJobSpecUpdate({ spec }: Job, old: Job): readonly field.FieldError[] {
  const before = old.spec
  const kept = (name: 'selector' | 'completionMode' | 'backoffLimitPerIndex' | 'managedBy') =>
    validateImmutable(spec[name], before[name], path.child(name))
  return [
    ...validateCompletions(spec, before),
    ...kept('selector'),
    ...validateTemplate(spec, old),
    ...kept('completionMode'),
    ...validateImmutable(
      podFailurePolicyShown(spec.podFailurePolicy),
      podFailurePolicyShown(before.podFailurePolicy),
      path.child('podFailurePolicy'),
    ),
    ...kept('backoffLimitPerIndex'),
    ...kept('managedBy'),
    ...validateImmutable(
      successPolicyShown(spec.successPolicy),
      successPolicyShown(before.successPolicy),
      path.child('successPolicy'),
    ),
  ]
}

/** Completions may change only if they equal the parallelism: an elastic indexed job. */
function validateCompletions(
  { completions, parallelism, completionMode }: JobSpec,
  old: JobSpec,
): readonly field.FieldError[] {
  const completionsPath = path.child('completions')
  if (completionMode !== 'Indexed') return validateImmutable(completions, old.completions, completionsPath)
  if (completions === undefined || completions === old.completions || completions === parallelism) return field.none
  return [field.invalid(completionsPath, completions, 'can only be modified in tandem with spec.parallelism')]
}

/** Errors do not contain the template, which is too long. */
function validateTemplate({ template }: JobSpec, old: Job): readonly field.FieldError[] {
  const before = old.spec.template
  const templatePath = path.child('template')
  if (!isAtRest(old))
    return isSame(template, before) ? field.none : [field.invalid(templatePath, field.omitted, immutable)]
  if (isSame(fixedPart(template.spec), fixedPart(before.spec))) return field.none
  return [field.invalid(templatePath.child('spec'), field.omitted, immutable)]
}

/** Whether a job is suspended and has no pod of the current template. */
function isAtRest(job: Job): boolean {
  const { suspend = false } = job.spec
  const { active = 0, startTime } = job.status
  return suspend && active === 0 && (startTime === undefined || isConditionTrue(job, 'Suspended'))
}

/** The immutable part of the template. Queueing controllers may set placement and resources before the job starts. */
function fixedPart(spec: PodSpec | undefined): object | undefined {
  if (!spec) return undefined
  const { nodeSelector: _, tolerations: __, schedulingGates: ___, affinity, containers, initContainers, ...rest } = spec
  const { nodeAffinity: ____, ...fixedAffinity } = affinity ?? {}
  return {
    ...rest,
    affinity: fixedAffinity,
    containers: (containers ?? []).map(withoutResources),
    initContainers: (initContainers ?? []).map(withoutResources),
  }
}

function withoutResources({ resources: _, ...container }: Container): object {
  return container
}
