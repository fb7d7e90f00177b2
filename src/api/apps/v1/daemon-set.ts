import {
  enumeration,
  int32,
  int64,
  intOrString,
  list,
  oneOf,
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

export const DaemonSetUpdateStrategyType = enumeration('apps/v1.DaemonSetUpdateStrategyType', [
  'RollingUpdate',
  'OnDelete',
])
export type DaemonSetUpdateStrategyType = Values<typeof DaemonSetUpdateStrategyType>

export const DaemonSet = kind('apps/v1.DaemonSet', {
  optional: {
    metadata: objectMetadata,
    spec: ref<DaemonSetSpec>(2, 'apps/v1.DaemonSetSpec', { always: true }),
    status: ref<DaemonSetStatus>(3, 'apps/v1.DaemonSetStatus', { always: true }),
  },
  resource: {
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Desired', { type: 'integer' }),
      column('Current', { type: 'integer' }),
      column('Ready', { type: 'integer' }),
      column('Up-to-date', { type: 'integer' }),
      column('Available', { type: 'integer' }),
      column('Node Selector'),
      ageColumn,
      wideColumn('Containers'),
      wideColumn('Images'),
      wideColumn('Selector'),
    ],
  },
})
export interface DaemonSet extends Instance<typeof DaemonSet> {}

export const DaemonSetSpec = schema('apps/v1.DaemonSetSpec', {
  required: {
    selector: ref<LabelSelector>(1, 'meta/v1.LabelSelector', { always: 'null' }),
    template: ref<PodTemplateSpec>(2, 'core/v1.PodTemplateSpec'),
  },
  optional: {
    updateStrategy: ref<DaemonSetUpdateStrategy>(3, 'apps/v1.DaemonSetUpdateStrategy', { always: true }),
    minReadySeconds: int32(4),
    revisionHistoryLimit: int32(6, { default: 10, keepZero: true }),
  },
})
export interface DaemonSetSpec extends Infer<typeof DaemonSetSpec> {}

export const DaemonSetUpdateStrategy = schema('apps/v1.DaemonSetUpdateStrategy', {
  optional: {
    type: oneOf(1, DaemonSetUpdateStrategyType, { default: 'RollingUpdate' }),
    rollingUpdate: ref<RollingUpdateDaemonSet>(2, 'apps/v1.RollingUpdateDaemonSet'),
  },
})
export interface DaemonSetUpdateStrategy extends Infer<typeof DaemonSetUpdateStrategy> {}

export const RollingUpdateDaemonSet = schema('apps/v1.RollingUpdateDaemonSet', {
  optional: {
    maxUnavailable: intOrString(1),
    maxSurge: intOrString(2),
  },
})
export interface RollingUpdateDaemonSet extends Infer<typeof RollingUpdateDaemonSet> {}

export const DaemonSetStatus = schema('apps/v1.DaemonSetStatus', {
  required: {
    currentNumberScheduled: int32(1),
    numberMisscheduled: int32(2),
    desiredNumberScheduled: int32(3),
    numberReady: int32(4),
  },
  optional: {
    observedGeneration: int64(5),
    updatedNumberScheduled: int32(6),
    numberAvailable: int32(7),
    numberUnavailable: int32(8),
    collisionCount: int32(9, { keepZero: true }),
    conditions: list(10, ref<DaemonSetCondition>('apps/v1.DaemonSetCondition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface DaemonSetStatus extends Infer<typeof DaemonSetStatus> {}

export const DaemonSetCondition = schema('apps/v1.DaemonSetCondition', {
  required: {
    type: string(1, { goType: 'v1.DaemonSetConditionType' }),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(3, { always: true }),
    reason: string(4),
    message: string(5),
  },
})
export interface DaemonSetCondition extends Infer<typeof DaemonSetCondition> {}
