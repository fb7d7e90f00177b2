import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { dnsLabel } from '../../../../schema/names.js'
import { quote } from '../../../../schema/quote.js'
import { declareStrategy, type StrategyContext } from '../../../../schema/strategy.js'
import { podTemplateWarnings } from '../../../core/v1/pod-template/validation.js'
import { podNameWarnings } from '../../../validation/workload-warnings.js'
import { Job, type JobSpec, type JobStatus } from '../job.js'
import { generateSelector, hasPrefixedLabels, validateGeneratedSelector } from './selector.js'
import { validateJobSpec } from './spec-validation.js'
import { validateJobStatusUpdate } from './status-validation.js'
import { validateJobSpecUpdate } from './update-validation.js'

const specPath = fieldPath('spec')

export const jobStrategy = declareStrategy<Job>(Job, {
  intent: ({ spec }) => [spec],
  prepareCreate(draft) {
    delete (draft as Partial<Draft<Job>>).status
    if (!draft.spec.manualSelector) generateSelector(draft)
    labelLikePods(draft)
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<JobStatus>
    labelLikePods(draft)
  },
  validate: (job, context) => validateJob(job, validatedSpec(job, undefined, context), true),
  validateUpdate(job, old, context) {
    // Validates the job as a new one, and its spec again as an update. Both lists of errors are reported.
    const spec = validatedSpec(job, old, context)
    return [...validateJob(job, spec, hasPrefixedLabels(old)), ...spec, ...validateJobSpecUpdate(job, old)]
  },
  warnings(job, old) {
    if (!old) return [...podNameWarnings(job.metadata.name), ...jobSpecWarnings(job.spec, undefined, specPath)]
    return job.metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(job.spec, old.spec, specPath)
  },
  fields: { 'status.successful': ({ status }) => String(status.succeeded ?? 0) },
  unsupportedField: (name) => `field label ${quote(name)} not supported for batchv1.Job`,
  deletion: {
    orphansDependents: true,
    warning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<JobSpec>
        labelLikePods(draft)
      },
      validateUpdate: validateJobStatusUpdate,
      warnings: () => [],
    },
  },
})

/** Labels default to those of the pods. */
function labelLikePods(draft: Draft<Job>): void {
  const { labels } = draft.spec.template.metadata ?? {}
  if (!labels || Object.keys(draft.metadata.labels ?? {}).length > 0) return
  draft.metadata = { ...draft.metadata, labels: { ...labels } }
}

function validatedSpec(
  job: Job,
  old: Job | undefined,
  { allowPrivileged }: StrategyContext,
): readonly field.FieldError[] {
  return validateJobSpec(job.spec, specPath, { allowPrivileged, old: old?.spec.template.spec })
}

function validateJob(
  job: Job,
  specErrors: readonly field.FieldError[],
  prefixedLabels: boolean,
): readonly field.FieldError[] {
  return [...validateGeneratedSelector(job, prefixedLabels), ...specErrors, ...validatePodHostname(job)]
}

/** The last pod of an indexed job has the longest host name. */
function validatePodHostname({ metadata, spec }: Job): readonly field.FieldError[] {
  const { completionMode, completions = 0 } = spec
  const hostname = `${metadata.name}-${completions - 1}`
  if (completionMode !== 'Indexed' || completions <= 0 || dnsLabel(hostname).length === 0) return field.none
  const why = `will not able to create pod with invalid DNS label: ${hostname}`
  return [field.invalid(fieldPath('metadata', 'name'), metadata.name, why)]
}

const manyCompletions = 100_000
const manyPods = 10_000

export function jobSpecWarnings(spec: JobSpec, old: JobSpec | undefined, path: FieldPath): readonly string[] {
  const warnings = podTemplateWarnings(spec.template, old?.template, path.child('template'))
  const { completionMode, completions = 0, parallelism = 0 } = spec
  if (completionMode !== 'Indexed' || completions <= manyCompletions || parallelism <= manyPods) return warnings
  return [
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
    ...warnings,
  ]
}
