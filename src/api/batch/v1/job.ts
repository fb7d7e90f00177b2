import {
  bool,
  enumeration,
  int32,
  int64,
  list,
  oneOf,
  openEnumeration,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema, wideColumn } from '../../../schema/schema.js'
import { ConditionStatus } from '../../core/v1/condition-status.js'
import type { PodTemplateSpec } from '../../core/v1/pod-template.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { PodFailurePolicy, SuccessPolicy } from './job/pod-failure-policy.js'

export const JobConditionType = openEnumeration('batch/v1.JobConditionType', [
  'Suspended',
  'Complete',
  'Failed',
  'FailureTarget',
  'SuccessCriteriaMet',
])
export type JobConditionType = Values<typeof JobConditionType>

export const CompletionMode = enumeration('batch/v1.CompletionMode', ['NonIndexed', 'Indexed'])
export type CompletionMode = Values<typeof CompletionMode>

export const PodReplacementPolicy = enumeration('batch/v1.PodReplacementPolicy', ['TerminatingOrFailed', 'Failed'])
export type PodReplacementPolicy = Values<typeof PodReplacementPolicy>

export const Job = kind('batch/v1.Job', {
  optional: {
    metadata: objectMetadata,
    spec: ref<JobSpec>(2, 'batch/v1.JobSpec', { always: true }),
    status: ref<JobStatus>(3, 'batch/v1.JobStatus', { always: true }),
  },
  resource: {
    plural: 'jobs',
    categories: ['all'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Status'),
      column('Completions'),
      column('Duration'),
      ageColumn,
      wideColumn('Containers'),
      wideColumn('Images'),
      wideColumn('Selector'),
    ],
  },
})
export interface Job extends Instance<typeof Job> {}

export const JobSpec = schema('batch/v1.JobSpec', {
  required: {
    template: ref<PodTemplateSpec>(6, 'core/v1.PodTemplateSpec'),
  },
  optional: {
    parallelism: int32(1, { keepZero: true }),
    completions: int32(2, { keepZero: true }),
    activeDeadlineSeconds: int64(3, { keepZero: true }),
    selector: ref<LabelSelector>(4, 'meta/v1.LabelSelector'),
    manualSelector: bool(5, { keepZero: true }),
    backoffLimit: int32(7, { keepZero: true }),
    ttlSecondsAfterFinished: int32(8, { keepZero: true }),
    completionMode: oneOf(9, CompletionMode, { keepZero: true }),
    suspend: bool(10, { keepZero: true }),
    podFailurePolicy: ref<PodFailurePolicy>(11, 'batch/v1.PodFailurePolicy'),
    backoffLimitPerIndex: int32(12, { keepZero: true }),
    maxFailedIndexes: int32(13, { keepZero: true }),
    podReplacementPolicy: oneOf(14, PodReplacementPolicy, { keepZero: true }),
    managedBy: string(15, { keepZero: true }),
    successPolicy: ref<SuccessPolicy>(16, 'batch/v1.SuccessPolicy'),
  },
})
export interface JobSpec extends Infer<typeof JobSpec> {}

export const JobStatus = schema('batch/v1.JobStatus', {
  optional: {
    conditions: list(1, ref<JobCondition>('batch/v1.JobCondition'), { mergeKey: 'type' }),
    startTime: time(2),
    completionTime: time(3),
    active: int32(4),
    succeeded: int32(5),
    failed: int32(6),
    completedIndexes: string(7),
    uncountedTerminatedPods: ref<UncountedTerminatedPods>(8, 'batch/v1.UncountedTerminatedPods'),
    ready: int32(9, { keepZero: true }),
    failedIndexes: string(10, { keepZero: true }),
    terminating: int32(11, { keepZero: true }),
  },
})
export interface JobStatus extends Infer<typeof JobStatus> {}

export const JobCondition = schema('batch/v1.JobCondition', {
  required: {
    type: oneOf(1, JobConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastProbeTime: time(3, { always: true }),
    lastTransitionTime: time(4, { always: true }),
    reason: string(5),
    message: string(6),
  },
})
export interface JobCondition extends Infer<typeof JobCondition> {}

export const UncountedTerminatedPods = schema('batch/v1.UncountedTerminatedPods', {
  optional: {
    succeeded: list(1, string, { goType: '[]types.UID', set: true }),
    failed: list(2, string, { goType: '[]types.UID', set: true }),
  },
})
export interface UncountedTerminatedPods extends Infer<typeof UncountedTerminatedPods> {}
