import { bool, enumeration, int32, int64, list, oneOf, ref, string, time, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema, wideColumn } from '../../../schema/schema.js'
import type { ObjectReference } from '../../core/v1/object-reference.js'
import { type ObjectMeta, objectMetadata } from '../../meta/v1/object-meta.js'
import type { JobSpec } from './job.js'

export const ConcurrencyPolicy = enumeration('batch/v1.ConcurrencyPolicy', ['Allow', 'Forbid', 'Replace'])
export type ConcurrencyPolicy = Values<typeof ConcurrencyPolicy>

export const CronJob = kind('batch/v1.CronJob', {
  required: {
    spec: ref<CronJobSpec>(2, 'batch/v1.CronJobSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<CronJobStatus>(3, 'batch/v1.CronJobStatus', { always: true }),
  },
  resource: {
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Schedule'),
      column('Timezone'),
      column('Suspend', { type: 'boolean' }),
      column('Active', { type: 'integer' }),
      column('Last Schedule'),
      ageColumn,
      wideColumn('Containers'),
      wideColumn('Images'),
      wideColumn('Selector'),
    ],
  },
})
export interface CronJob extends Instance<typeof CronJob> {}

export const CronJobSpec = schema('batch/v1.CronJobSpec', {
  required: {
    schedule: string(1),
    jobTemplate: ref<JobTemplateSpec>(5, 'batch/v1.JobTemplateSpec'),
  },
  optional: {
    startingDeadlineSeconds: int64(2, { keepZero: true }),
    concurrencyPolicy: oneOf(3, ConcurrencyPolicy, { default: 'Allow' }),
    suspend: bool(4, { default: false, keepZero: true }),
    successfulJobsHistoryLimit: int32(6, { default: 3, keepZero: true }),
    failedJobsHistoryLimit: int32(7, { default: 1, keepZero: true }),
    timeZone: string(8, { keepZero: true }),
  },
})
export interface CronJobSpec extends Infer<typeof CronJobSpec> {}

export const JobTemplateSpec = schema('batch/v1.JobTemplateSpec', {
  optional: {
    metadata: ref<ObjectMeta>(1, 'meta/v1.ObjectMeta', { always: true }),
    spec: ref<JobSpec>(2, 'batch/v1.JobSpec', { always: true }),
  },
})
export interface JobTemplateSpec extends Infer<typeof JobTemplateSpec> {}

export const CronJobStatus = schema('batch/v1.CronJobStatus', {
  optional: {
    active: list(1, ref<ObjectReference>('core/v1.ObjectReference')),
    lastScheduleTime: time(4),
    lastSuccessfulTime: time(5),
  },
})
export interface CronJobStatus extends Infer<typeof CronJobStatus> {}
