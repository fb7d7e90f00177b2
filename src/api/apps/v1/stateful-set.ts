import {
  enumeration,
  int32,
  int64,
  intOrString,
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
import type { PersistentVolumeClaim } from '../../core/v1/persistent-volume-claim.js'
import type { PodTemplateSpec } from '../../core/v1/pod-template.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const PersistentVolumeClaimRetentionPolicyType = openEnumeration(
  'apps/v1.PersistentVolumeClaimRetentionPolicyType',
  ['Retain', 'Delete'],
)
export type PersistentVolumeClaimRetentionPolicyType = Values<typeof PersistentVolumeClaimRetentionPolicyType>

export const PodManagementPolicyType = enumeration('apps/v1.PodManagementPolicyType', ['OrderedReady', 'Parallel'])
export type PodManagementPolicyType = Values<typeof PodManagementPolicyType>

export const StatefulSetUpdateStrategyType = enumeration('apps/v1.StatefulSetUpdateStrategyType', [
  'RollingUpdate',
  'OnDelete',
])
export type StatefulSetUpdateStrategyType = Values<typeof StatefulSetUpdateStrategyType>

export const StatefulSet = kind('apps/v1.StatefulSet', {
  optional: {
    metadata: objectMetadata,
    spec: ref<StatefulSetSpec>(2, 'apps/v1.StatefulSetSpec', { always: true }),
    status: ref<StatefulSetStatus>(3, 'apps/v1.StatefulSetStatus', { always: true }),
  },
  resource: {
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    namespaced: true,
    subresources: {
      scale: { verbs: ['get', 'patch', 'update'], kind: 'autoscaling/v1.Scale' },
      status: objectSubresource,
    },
    columns: [nameColumn, column('Ready'), ageColumn, wideColumn('Containers'), wideColumn('Images')],
  },
})
export interface StatefulSet extends Instance<typeof StatefulSet> {}

export const StatefulSetSpec = schema('apps/v1.StatefulSetSpec', {
  required: {
    selector: ref<LabelSelector>(2, 'meta/v1.LabelSelector', { always: 'null' }),
    template: ref<PodTemplateSpec>(3, 'core/v1.PodTemplateSpec'),
  },
  optional: {
    replicas: int32(1, { default: 1, keepZero: true }),
    volumeClaimTemplates: list(4, ref<PersistentVolumeClaim>('core/v1.PersistentVolumeClaim')),
    serviceName: string(5, { always: true }),
    podManagementPolicy: oneOf(6, PodManagementPolicyType, { default: 'OrderedReady' }),
    updateStrategy: ref<StatefulSetUpdateStrategy>(7, 'apps/v1.StatefulSetUpdateStrategy', { always: true }),
    revisionHistoryLimit: int32(8, { default: 10, keepZero: true }),
    minReadySeconds: int32(9),
    persistentVolumeClaimRetentionPolicy: ref<StatefulSetPersistentVolumeClaimRetentionPolicy>(
      10,
      'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
    ),
    ordinals: ref<StatefulSetOrdinals>(11, 'apps/v1.StatefulSetOrdinals'),
  },
})
export interface StatefulSetSpec extends Infer<typeof StatefulSetSpec> {}

export const StatefulSetOrdinals = schema('apps/v1.StatefulSetOrdinals', {
  optional: {
    start: int32(1, { always: true }),
  },
})
export interface StatefulSetOrdinals extends Infer<typeof StatefulSetOrdinals> {}

export const StatefulSetPersistentVolumeClaimRetentionPolicy = schema(
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    optional: {
      whenDeleted: oneOf(1, PersistentVolumeClaimRetentionPolicyType),
      whenScaled: oneOf(2, PersistentVolumeClaimRetentionPolicyType),
    },
  },
)
export interface StatefulSetPersistentVolumeClaimRetentionPolicy
  extends Infer<typeof StatefulSetPersistentVolumeClaimRetentionPolicy> {}

export const StatefulSetUpdateStrategy = schema('apps/v1.StatefulSetUpdateStrategy', {
  optional: {
    type: oneOf(1, StatefulSetUpdateStrategyType, { default: 'RollingUpdate' }),
    rollingUpdate: ref<RollingUpdateStatefulSetStrategy>(2, 'apps/v1.RollingUpdateStatefulSetStrategy'),
  },
})
export interface StatefulSetUpdateStrategy extends Infer<typeof StatefulSetUpdateStrategy> {}

export const RollingUpdateStatefulSetStrategy = schema('apps/v1.RollingUpdateStatefulSetStrategy', {
  optional: {
    partition: int32(1, { keepZero: true }),
    maxUnavailable: intOrString(2),
  },
})
export interface RollingUpdateStatefulSetStrategy extends Infer<typeof RollingUpdateStatefulSetStrategy> {}

export const StatefulSetStatus = schema('apps/v1.StatefulSetStatus', {
  required: {
    replicas: int32(2),
  },
  optional: {
    observedGeneration: int64(1),
    readyReplicas: int32(3),
    currentReplicas: int32(4),
    updatedReplicas: int32(5),
    currentRevision: string(6),
    updateRevision: string(7),
    collisionCount: int32(9, { keepZero: true }),
    conditions: list(10, ref<StatefulSetCondition>('apps/v1.StatefulSetCondition'), {
      keys: ['type'],
      mergeKey: 'type',
    }),
    availableReplicas: int32(11, { always: true }),
  },
})
export interface StatefulSetStatus extends Infer<typeof StatefulSetStatus> {}

export const StatefulSetCondition = schema('apps/v1.StatefulSetCondition', {
  required: {
    type: string(1, { goType: 'v1.StatefulSetConditionType' }),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(3, { always: true }),
    reason: string(4),
    message: string(5),
  },
})
export interface StatefulSetCondition extends Infer<typeof StatefulSetCondition> {}
