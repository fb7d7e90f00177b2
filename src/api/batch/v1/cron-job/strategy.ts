import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy, type StrategyContext } from '../../../../schema/strategy.js'
import { age } from '../../../../schema/table.js'
import { ValueError } from '../../../../schema/value-error.js'
import { containersCell, imagesCell } from '../../../core/v1/pod-template/cells.js'
import { labelSelectorText } from '../../../selectors/label-selector.js'
import { validateNoneNegative, validateNotNegative } from '../../../validation/numbers.js'
import { podNameWarnings } from '../../../validation/workload-warnings.js'
import { CronJob, type CronJobSpec, type JobTemplateSpec } from '../cron-job.js'
import { validateUnselectedJobSpec } from '../job/spec-validation.js'
import { jobSpecWarnings } from '../job/strategy.js'
import { parseSchedule } from './schedule.js'
import { validateTimeZone } from './time-zone.js'

const specPath = fieldPath('spec')
const templatePath = specPath.child('jobTemplate')

export const cronJobTable = declareTable<CronJob>(CronJob, {
  Schedule: ({ spec }) => spec.schedule,
  Timezone: ({ spec }) => spec.timeZone ?? '<none>',
  Suspend: ({ spec }) => (spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False'),
  Active: ({ status }) => status.active?.length ?? 0,
  'Last Schedule': ({ status }, now) => (status.lastScheduleTime ? age(status.lastScheduleTime, now) : '<none>'),
  Containers: ({ spec }) => containersCell(spec.jobTemplate.spec?.template ?? {}),
  Images: ({ spec }) => imagesCell(spec.jobTemplate.spec?.template ?? {}),
  Selector: ({ spec }) => labelSelectorText(spec.jobTemplate.spec?.selector),
})

export const cronJobStrategy = declareStrategy<CronJob>(CronJob, {
  intent: ({ spec }) => [spec],
  validate: ({ metadata, spec }, context) => [
    ...validateCronJobSpec(spec, undefined, context),
    ...validateNameLength(metadata.name ?? ''),
  ],
  validateUpdate: ({ spec }, old, context) => validateCronJobSpec(spec, old.spec, context),
  warnings(object, old) {
    const { jobTemplate, schedule } = object.spec
    const before = old?.spec.jobTemplate.spec
    const isNew = !old || object.metadata.generation !== old.metadata.generation
    return [
      ...(old ? [] : podNameWarnings(object.metadata.name)),
      ...(isNew && jobTemplate.spec ? jobSpecWarnings(jobTemplate.spec, before, templatePath.child('spec')) : []),
      ...(schedule.includes('TZ') ? [timeZoneWarning] : []),
    ]
  },
  subresources: {
    status: { validateUpdate: () => [], warnings: () => [] },
  },
})

const timeZoneWarning =
  'CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'

/** Names of jobs consist of this name and the minute, and must fit into a host name. */
const maximumName = 52

function validateNameLength(name: string): readonly field.FieldError[] {
  if (Buffer.byteLength(name) <= maximumName) return field.none
  return [field.invalid(fieldPath('metadata', 'name'), name, `must be no more than ${maximumName} characters`)]
}

function validateCronJobSpec(
  spec: CronJobSpec,
  old: CronJobSpec | undefined,
  { allowPrivileged }: StrategyContext,
): readonly field.FieldError[] {
  const before = old?.jobTemplate.spec?.template.spec
  return [
    ...validateSchedule(spec, old),
    ...validateNotNegative(spec.startingDeadlineSeconds, specPath.child('startingDeadlineSeconds')),
    ...(old && old.timeZone === spec.timeZone ? [] : validateTimeZone(spec.timeZone, specPath.child('timeZone'))),
    ...validateConcurrencyPolicy(spec.concurrencyPolicy, specPath.child('concurrencyPolicy')),
    ...validateJobTemplate(spec.jobTemplate, { allowPrivileged, old: before }),
    ...validateNoneNegative(spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], specPath),
  ]
}

/** Accepts a time zone inside the schedule if the old schedule has it, and if there is no other time zone. */
function validateSchedule(
  { schedule, timeZone }: CronJobSpec,
  old: CronJobSpec | undefined,
): readonly field.FieldError[] {
  const path = specPath.child('schedule')
  if (schedule === '') return [field.required(path)]
  const errors = [...scheduleErrors(schedule, path)]
  if (!schedule.includes('TZ')) return errors
  if (!old?.schedule.includes('TZ')) {
    const why = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    errors.push(field.invalid(path, schedule, why))
  } else if (timeZone !== undefined)
    errors.push(field.invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'))
  return errors
}

function scheduleErrors(schedule: string, path: FieldPath): readonly field.FieldError[] {
  try {
    parseSchedule(schedule)
    return field.none
  } catch (error) {
    if (error instanceof ValueError) return [field.invalid(path, schedule, error.message)]
    throw error
  }
}

const concurrencyPolicies: readonly string[] = ['Allow', 'Forbid', 'Replace']

function validateConcurrencyPolicy(policy: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (!policy) return [field.required(path)]
  return concurrencyPolicies.includes(policy) ? field.none : [field.notSupported(path, policy, concurrencyPolicies)]
}

function validateJobTemplate(
  { spec }: JobTemplateSpec,
  context: Parameters<typeof validateUnselectedJobSpec>[2],
): readonly field.FieldError[] {
  if (!spec) return field.none
  const path = templatePath.child('spec')
  const { selector, manualSelector } = spec
  return [
    ...validateUnselectedJobSpec(spec, path, context),
    ...(selector ? [field.invalid(path.child('selector'), selector, '`selector` will be auto-generated')] : []),
    ...(manualSelector ? [field.notSupported(path.child('manualSelector'), true, ['nil', 'false'])] : []),
  ]
}
