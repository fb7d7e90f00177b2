import {
  int32,
  int64,
  list,
  map,
  oneOf,
  openEnumeration,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema, wideColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { ConditionStatus } from './condition-status.js'
import type { PodTemplateSpec } from './pod-template.js'

export const ReplicationControllerConditionType = openEnumeration('core/v1.ReplicationControllerConditionType', [
  'ReplicaFailure',
])
export type ReplicationControllerConditionType = Values<typeof ReplicationControllerConditionType>

export const ReplicationController = kind('core/v1.ReplicationController', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ReplicationControllerSpec>(2, 'core/v1.ReplicationControllerSpec', { always: true }),
    status: ref<ReplicationControllerStatus>(3, 'core/v1.ReplicationControllerStatus', { always: true }),
  },
  resource: {
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
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
export interface ReplicationController extends Instance<typeof ReplicationController> {}

export const ReplicationControllerSpec = schema('core/v1.ReplicationControllerSpec', {
  optional: {
    replicas: int32(1, { default: 1, keepZero: true }),
    selector: map(2, string, { atomic: true }),
    template: ref<PodTemplateSpec>(3, 'core/v1.PodTemplateSpec'),
    minReadySeconds: int32(4),
  },
})
export interface ReplicationControllerSpec extends Infer<typeof ReplicationControllerSpec> {}

export const ReplicationControllerStatus = schema('core/v1.ReplicationControllerStatus', {
  required: {
    replicas: int32(1),
  },
  optional: {
    fullyLabeledReplicas: int32(2),
    observedGeneration: int64(3),
    readyReplicas: int32(4),
    availableReplicas: int32(5),
    conditions: list(6, ref<ReplicationControllerCondition>('core/v1.ReplicationControllerCondition'), {
      keys: ['type'],
      mergeKey: 'type',
    }),
  },
})
export interface ReplicationControllerStatus extends Infer<typeof ReplicationControllerStatus> {}

export const ReplicationControllerCondition = schema('core/v1.ReplicationControllerCondition', {
  required: {
    type: oneOf(1, ReplicationControllerConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(3, { always: true }),
    reason: string(4),
    message: string(5),
  },
})
export interface ReplicationControllerCondition extends Infer<typeof ReplicationControllerCondition> {}
