import { int64, list, oneOf, openEnumeration, ref, string, time, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const StorageVersionConditionType = openEnumeration('apiserverinternal/v1alpha1.StorageVersionConditionType', [
  'AllEncodingVersionsEqual',
])
export type StorageVersionConditionType = Values<typeof StorageVersionConditionType>

export const ConditionStatus = openEnumeration('apiserverinternal/v1alpha1.ConditionStatus', [
  'True',
  'False',
  'Unknown',
])
export type ConditionStatus = Values<typeof ConditionStatus>

export const StorageVersion = kind('apiserverinternal/v1alpha1.StorageVersion', {
  required: {
    metadata: objectMetadata,
  },
  optional: {
    spec: ref<StorageVersionSpec>(2, 'apiserverinternal/v1alpha1.StorageVersionSpec', { always: true }),
    status: ref<StorageVersionStatus>(3, 'apiserverinternal/v1alpha1.StorageVersionStatus', { always: true }),
  },
  listed: true,
})
export interface StorageVersion extends Instance<typeof StorageVersion> {}

export const StorageVersionSpec = schema('apiserverinternal/v1alpha1.StorageVersionSpec')
export interface StorageVersionSpec extends Infer<typeof StorageVersionSpec> {}

export const StorageVersionStatus = schema('apiserverinternal/v1alpha1.StorageVersionStatus', {
  optional: {
    storageVersions: list(1, ref<ServerStorageVersion>('apiserverinternal/v1alpha1.ServerStorageVersion'), {
      keys: ['apiServerID'],
    }),
    commonEncodingVersion: string(2, { keepZero: true }),
    conditions: list(3, ref<StorageVersionCondition>('apiserverinternal/v1alpha1.StorageVersionCondition'), {
      keys: ['type'],
    }),
  },
})
export interface StorageVersionStatus extends Infer<typeof StorageVersionStatus> {}

export const StorageVersionCondition = schema('apiserverinternal/v1alpha1.StorageVersionCondition', {
  required: {
    type: oneOf(1, StorageVersionConditionType),
    status: oneOf(2, ConditionStatus),
    reason: string(5),
    message: string(6, { always: false }),
  },
  optional: {
    observedGeneration: int64(3),
    lastTransitionTime: time(4, { always: true }),
  },
})
export interface StorageVersionCondition extends Infer<typeof StorageVersionCondition> {}

export const ServerStorageVersion = schema('apiserverinternal/v1alpha1.ServerStorageVersion', {
  required: {
    apiServerID: string(1, { always: false }),
    encodingVersion: string(2, { always: false }),
    decodableVersions: list(3, string, { always: false, set: true }),
  },
  optional: {
    servedVersions: list(4, string, { set: true }),
  },
})
export interface ServerStorageVersion extends Infer<typeof ServerStorageVersion> {}
