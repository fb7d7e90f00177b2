import { int32, int64, list, oneOf, openEnumeration, ref, string, time, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema, wideColumn } from '../../../schema/schema.js'
import { ConditionStatus } from '../../core/v1/condition-status.js'
import type { PodTemplateSpec } from '../../core/v1/pod-template.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ReplicaSetConditionType = openEnumeration('apps/v1.ReplicaSetConditionType', ['ReplicaFailure'])
export type ReplicaSetConditionType = Values<typeof ReplicaSetConditionType>

export const ReplicaSet = kind('apps/v1.ReplicaSet', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ReplicaSetSpec>(2, 'apps/v1.ReplicaSetSpec', { always: true }),
    status: ref<ReplicaSetStatus>(3, 'apps/v1.ReplicaSetStatus', { always: true }),
  },
  resource: {
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    namespaced: true,
    subresources: {
      scale: { verbs: ['get', 'patch', 'update'], kind: 'autoscaling/v1.Scale' },
      status: objectSubresource,
    },
    columns: [
      nameColumn,
      column('Desired', { type: 'integer' }),
      column('Current', { type: 'integer' }),
      column('Ready', { type: 'integer' }),
      ageColumn,
      wideColumn('Containers'),
      wideColumn('Images'),
      wideColumn('Selector'),
    ],
  },
})
export interface ReplicaSet extends Instance<typeof ReplicaSet> {}

export const ReplicaSetSpec = schema('apps/v1.ReplicaSetSpec', {
  required: {
    selector: ref<LabelSelector>(2, 'meta/v1.LabelSelector', { always: 'null' }),
  },
  optional: {
    replicas: int32(1, { default: 1, keepZero: true }),
    template: ref<PodTemplateSpec>(3, 'core/v1.PodTemplateSpec', { always: true }),
    minReadySeconds: int32(4),
  },
})
export interface ReplicaSetSpec extends Infer<typeof ReplicaSetSpec> {}

export const ReplicaSetStatus = schema('apps/v1.ReplicaSetStatus', {
  required: {
    replicas: int32(1),
  },
  optional: {
    fullyLabeledReplicas: int32(2),
    observedGeneration: int64(3),
    readyReplicas: int32(4),
    availableReplicas: int32(5),
    conditions: list(6, ref<ReplicaSetCondition>('apps/v1.ReplicaSetCondition'), { keys: ['type'], mergeKey: 'type' }),
    terminatingReplicas: int32(7, { keepZero: true }),
  },
})
export interface ReplicaSetStatus extends Infer<typeof ReplicaSetStatus> {}

export const ReplicaSetCondition = schema('apps/v1.ReplicaSetCondition', {
  required: {
    type: oneOf(1, ReplicaSetConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(3, { always: true }),
    reason: string(4),
    message: string(5),
  },
})
export interface ReplicaSetCondition extends Infer<typeof ReplicaSetCondition> {}
