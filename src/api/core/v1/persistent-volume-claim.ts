import {
  enumeration,
  list,
  map,
  oneOf,
  openEnumeration,
  quantity,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema, wideColumn } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { type ObjectMeta, objectMetadata } from '../../meta/v1/object-meta.js'
import { ConditionStatus } from './condition-status.js'
import type { TypedLocalObjectReference, TypedObjectReference } from './object-reference.js'
import type { VolumeResourceRequirements } from './resource-requirements.js'

export const PersistentVolumeClaimModifyVolumeStatus = enumeration('core/v1.PersistentVolumeClaimModifyVolumeStatus', [
  'Pending',
  'InProgress',
  'Infeasible',
])
export type PersistentVolumeClaimModifyVolumeStatus = Values<typeof PersistentVolumeClaimModifyVolumeStatus>

export const PersistentVolumeClaimConditionType = openEnumeration('core/v1.PersistentVolumeClaimConditionType', [
  'Resizing',
  'FileSystemResizePending',
  'ControllerResizeError',
  'NodeResizeError',
  'ModifyVolumeError',
  'ModifyingVolume',
  'Unused',
])
export type PersistentVolumeClaimConditionType = Values<typeof PersistentVolumeClaimConditionType>

export const PersistentVolumeAccessMode = enumeration('core/v1.PersistentVolumeAccessMode', [
  'ReadWriteOnce',
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOncePod',
])
export type PersistentVolumeAccessMode = Values<typeof PersistentVolumeAccessMode>

export const PersistentVolumeMode = enumeration('core/v1.PersistentVolumeMode', ['Block', 'Filesystem'])
export type PersistentVolumeMode = Values<typeof PersistentVolumeMode>

export const PersistentVolumeClaimPhase = enumeration('core/v1.PersistentVolumeClaimPhase', [
  'Pending',
  'Bound',
  'Lost',
])
export type PersistentVolumeClaimPhase = Values<typeof PersistentVolumeClaimPhase>

export const ClaimResourceStatus = enumeration('core/v1.ClaimResourceStatus', [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizePending',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
])
export type ClaimResourceStatus = Values<typeof ClaimResourceStatus>

export const PersistentVolumeClaim = kind('core/v1.PersistentVolumeClaim', {
  optional: {
    metadata: objectMetadata,
    spec: ref<PersistentVolumeClaimSpec>(2, 'core/v1.PersistentVolumeClaimSpec', { always: true }),
    status: ref<PersistentVolumeClaimStatus>(3, 'core/v1.PersistentVolumeClaimStatus', { always: true }),
  },
  resource: {
    plural: 'persistentvolumeclaims',
    returnsDeleted: true,
    shortNames: ['pvc'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Status'),
      column('Volume'),
      column('Capacity'),
      column('Access Modes'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      ageColumn,
      wideColumn('VolumeMode'),
    ],
  },
})
export interface PersistentVolumeClaim extends Instance<typeof PersistentVolumeClaim> {}

export const PersistentVolumeClaimSpec = schema('core/v1.PersistentVolumeClaimSpec', {
  optional: {
    accessModes: list(1, PersistentVolumeAccessMode),
    resources: ref<VolumeResourceRequirements>(2, 'core/v1.VolumeResourceRequirements', { always: true }),
    volumeName: string(3),
    selector: ref<LabelSelector>(4, 'meta/v1.LabelSelector'),
    storageClassName: string(5, { keepZero: true }),
    volumeMode: oneOf(6, PersistentVolumeMode, { default: 'Filesystem', keepZero: true }),
    dataSource: ref<TypedLocalObjectReference>(7, 'core/v1.TypedLocalObjectReference'),
    dataSourceRef: ref<TypedObjectReference>(8, 'core/v1.TypedObjectReference'),
    volumeAttributesClassName: string(9, { keepZero: true }),
  },
})
export interface PersistentVolumeClaimSpec extends Infer<typeof PersistentVolumeClaimSpec> {}

export const PersistentVolumeClaimStatus = schema('core/v1.PersistentVolumeClaimStatus', {
  optional: {
    phase: oneOf(1, PersistentVolumeClaimPhase, { default: 'Pending' }),
    accessModes: list(2, PersistentVolumeAccessMode),
    capacity: map(3, quantity, { goType: 'v1.ResourceList' }),
    conditions: list(4, ref<PersistentVolumeClaimCondition>('core/v1.PersistentVolumeClaimCondition'), {
      keys: ['type'],
      mergeKey: 'type',
    }),
    allocatedResources: map(5, quantity, { goType: 'v1.ResourceList' }),
    allocatedResourceStatuses: map(7, ClaimResourceStatus, { goType: 'map[v1.ResourceName]v1.ClaimResourceStatus' }),
    currentVolumeAttributesClassName: string(8, { keepZero: true }),
    modifyVolumeStatus: ref<ModifyVolumeStatus>(9, 'core/v1.ModifyVolumeStatus'),
  },
})
export interface PersistentVolumeClaimStatus extends Infer<typeof PersistentVolumeClaimStatus> {}

export const PersistentVolumeClaimCondition = schema('core/v1.PersistentVolumeClaimCondition', {
  required: {
    type: oneOf(1, PersistentVolumeClaimConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastProbeTime: time(3, { always: true }),
    lastTransitionTime: time(4, { always: true }),
    reason: string(5),
    message: string(6),
  },
})
export interface PersistentVolumeClaimCondition extends Infer<typeof PersistentVolumeClaimCondition> {}

export const ModifyVolumeStatus = schema('core/v1.ModifyVolumeStatus', {
  required: {
    status: oneOf(2, PersistentVolumeClaimModifyVolumeStatus),
  },
  optional: {
    targetVolumeAttributesClassName: string(1),
  },
})
export interface ModifyVolumeStatus extends Infer<typeof ModifyVolumeStatus> {}

export const PersistentVolumeClaimTemplate = schema('core/v1.PersistentVolumeClaimTemplate', {
  required: {
    spec: ref<PersistentVolumeClaimSpec>(2, 'core/v1.PersistentVolumeClaimSpec'),
  },
  optional: {
    metadata: ref<ObjectMeta>(1, 'meta/v1.ObjectMeta', { always: true }),
  },
})
export interface PersistentVolumeClaimTemplate extends Infer<typeof PersistentVolumeClaimTemplate> {}
