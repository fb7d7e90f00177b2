import {
  bool,
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
import type { PodTemplateSpec } from '../../core/v1/pod-template.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const DeploymentConditionType = openEnumeration('apps/v1.DeploymentConditionType', [
  'Available',
  'Progressing',
  'ReplicaFailure',
])
export type DeploymentConditionType = Values<typeof DeploymentConditionType>

export const DeploymentStrategyType = enumeration('apps/v1.DeploymentStrategyType', ['Recreate', 'RollingUpdate'])
export type DeploymentStrategyType = Values<typeof DeploymentStrategyType>

export const Deployment = kind('apps/v1.Deployment', {
  optional: {
    metadata: objectMetadata,
    spec: ref<DeploymentSpec>(2, 'apps/v1.DeploymentSpec', { always: true }),
    status: ref<DeploymentStatus>(3, 'apps/v1.DeploymentStatus', { always: true }),
  },
  resource: {
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    namespaced: true,
    subresources: {
      scale: { verbs: ['get', 'patch', 'update'], kind: 'autoscaling/v1.Scale' },
      status: objectSubresource,
    },
    columns: [
      nameColumn,
      column('Ready'),
      column('Up-to-date'),
      column('Available'),
      ageColumn,
      wideColumn('Containers'),
      wideColumn('Images'),
      wideColumn('Selector'),
    ],
  },
})
export interface Deployment extends Instance<typeof Deployment> {}

export const DeploymentSpec = schema('apps/v1.DeploymentSpec', {
  required: {
    selector: ref<LabelSelector>(2, 'meta/v1.LabelSelector', { always: 'null' }),
    template: ref<PodTemplateSpec>(3, 'core/v1.PodTemplateSpec'),
  },
  optional: {
    replicas: int32(1, { default: 1, keepZero: true }),
    strategy: ref<DeploymentStrategy>(4, 'apps/v1.DeploymentStrategy', { always: true, patch: 'retainKeys' }),
    minReadySeconds: int32(5),
    revisionHistoryLimit: int32(6, { default: 10, keepZero: true }),
    paused: bool(7),
    progressDeadlineSeconds: int32(9, { default: 600, keepZero: true }),
  },
})
export interface DeploymentSpec extends Infer<typeof DeploymentSpec> {}

export const DeploymentStrategy = schema('apps/v1.DeploymentStrategy', {
  optional: {
    type: oneOf(1, DeploymentStrategyType, { default: 'RollingUpdate' }),
    rollingUpdate: ref<RollingUpdateDeployment>(2, 'apps/v1.RollingUpdateDeployment'),
  },
})
export interface DeploymentStrategy extends Infer<typeof DeploymentStrategy> {}

export const RollingUpdateDeployment = schema('apps/v1.RollingUpdateDeployment', {
  optional: {
    maxUnavailable: intOrString(1),
    maxSurge: intOrString(2),
  },
})
export interface RollingUpdateDeployment extends Infer<typeof RollingUpdateDeployment> {}

export const DeploymentStatus = schema('apps/v1.DeploymentStatus', {
  optional: {
    observedGeneration: int64(1),
    replicas: int32(2),
    updatedReplicas: int32(3),
    availableReplicas: int32(4),
    unavailableReplicas: int32(5),
    conditions: list(6, ref<DeploymentCondition>('apps/v1.DeploymentCondition'), { keys: ['type'], mergeKey: 'type' }),
    readyReplicas: int32(7),
    collisionCount: int32(8, { keepZero: true }),
    terminatingReplicas: int32(9, { keepZero: true }),
  },
})
export interface DeploymentStatus extends Infer<typeof DeploymentStatus> {}

export const DeploymentCondition = schema('apps/v1.DeploymentCondition', {
  required: {
    type: oneOf(1, DeploymentConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    reason: string(4),
    message: string(5),
    lastUpdateTime: time(6, { always: true }),
    lastTransitionTime: time(7, { always: true }),
  },
})
export interface DeploymentCondition extends Infer<typeof DeploymentCondition> {}
