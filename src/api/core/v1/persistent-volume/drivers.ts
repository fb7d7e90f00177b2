import { bool, int32, list, map, ref, string } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import type { ObjectReference, SecretReference } from '../object-reference.js'

export const AzureFilePersistentVolumeSource = schema('core/v1.AzureFilePersistentVolumeSource', {
  required: {
    secretName: string(1),
    shareName: string(2),
  },
  optional: {
    readOnly: bool(3),
    secretNamespace: string(4, { always: 'null' }),
  },
})
export interface AzureFilePersistentVolumeSource extends Infer<typeof AzureFilePersistentVolumeSource> {}

export const CSIPersistentVolumeSource = schema('core/v1.CSIPersistentVolumeSource', {
  required: {
    driver: string(1),
    volumeHandle: string(2),
  },
  optional: {
    readOnly: bool(3),
    fsType: string(4),
    volumeAttributes: map(5, string),
    controllerPublishSecretRef: ref<SecretReference>(6, 'core/v1.SecretReference'),
    nodeStageSecretRef: ref<SecretReference>(7, 'core/v1.SecretReference'),
    nodePublishSecretRef: ref<SecretReference>(8, 'core/v1.SecretReference'),
    controllerExpandSecretRef: ref<SecretReference>(9, 'core/v1.SecretReference'),
    nodeExpandSecretRef: ref<SecretReference>(10, 'core/v1.SecretReference'),
  },
})
export interface CSIPersistentVolumeSource extends Infer<typeof CSIPersistentVolumeSource> {}

export const CephFSPersistentVolumeSource = schema('core/v1.CephFSPersistentVolumeSource', {
  required: {
    monitors: list(1, string),
  },
  optional: {
    path: string(2),
    user: string(3),
    secretFile: string(4),
    secretRef: ref<SecretReference>(5, 'core/v1.SecretReference'),
    readOnly: bool(6),
  },
})
export interface CephFSPersistentVolumeSource extends Infer<typeof CephFSPersistentVolumeSource> {}

export const CinderPersistentVolumeSource = schema('core/v1.CinderPersistentVolumeSource', {
  required: {
    volumeID: string(1),
  },
  optional: {
    fsType: string(2),
    readOnly: bool(3),
    secretRef: ref<SecretReference>(4, 'core/v1.SecretReference'),
  },
})
export interface CinderPersistentVolumeSource extends Infer<typeof CinderPersistentVolumeSource> {}

export const FlexPersistentVolumeSource = schema('core/v1.FlexPersistentVolumeSource', {
  required: {
    driver: string(1),
  },
  optional: {
    fsType: string(2),
    secretRef: ref<SecretReference>(3, 'core/v1.SecretReference'),
    readOnly: bool(4),
    options: map(5, string),
  },
})
export interface FlexPersistentVolumeSource extends Infer<typeof FlexPersistentVolumeSource> {}

export const GlusterfsPersistentVolumeSource = schema('core/v1.GlusterfsPersistentVolumeSource', {
  required: {
    endpoints: string(1),
    path: string(2),
  },
  optional: {
    readOnly: bool(3),
    endpointsNamespace: string(4, { keepZero: true }),
  },
})
export interface GlusterfsPersistentVolumeSource extends Infer<typeof GlusterfsPersistentVolumeSource> {}

export const ISCSIPersistentVolumeSource = schema('core/v1.ISCSIPersistentVolumeSource', {
  required: {
    targetPortal: string(1),
    iqn: string(2),
    lun: int32(3),
  },
  optional: {
    iscsiInterface: string(4, { default: 'default' }),
    fsType: string(5),
    readOnly: bool(6),
    portals: list(7, string),
    chapAuthDiscovery: bool(8),
    secretRef: ref<SecretReference>(10, 'core/v1.SecretReference'),
    chapAuthSession: bool(11),
    initiatorName: string(12, { keepZero: true }),
  },
})
export interface ISCSIPersistentVolumeSource extends Infer<typeof ISCSIPersistentVolumeSource> {}

export const LocalVolumeSource = schema('core/v1.LocalVolumeSource', {
  required: {
    path: string(1),
  },
  optional: {
    fsType: string(2, { keepZero: true }),
  },
})
export interface LocalVolumeSource extends Infer<typeof LocalVolumeSource> {}

export const RBDPersistentVolumeSource = schema('core/v1.RBDPersistentVolumeSource', {
  required: {
    monitors: list(1, string),
    image: string(2),
  },
  optional: {
    fsType: string(3),
    pool: string(4, { default: 'rbd' }),
    user: string(5, { default: 'admin' }),
    keyring: string(6, { default: '/etc/ceph/keyring' }),
    secretRef: ref<SecretReference>(7, 'core/v1.SecretReference'),
    readOnly: bool(8),
  },
})
export interface RBDPersistentVolumeSource extends Infer<typeof RBDPersistentVolumeSource> {}

export const ScaleIOPersistentVolumeSource = schema('core/v1.ScaleIOPersistentVolumeSource', {
  required: {
    gateway: string(1),
    system: string(2),
    secretRef: ref<SecretReference>(3, 'core/v1.SecretReference', { always: 'null' }),
  },
  optional: {
    sslEnabled: bool(4),
    protectionDomain: string(5),
    storagePool: string(6),
    storageMode: string(7, { default: 'ThinProvisioned' }),
    volumeName: string(8),
    fsType: string(9, { default: 'xfs' }),
    readOnly: bool(10),
  },
})
export interface ScaleIOPersistentVolumeSource extends Infer<typeof ScaleIOPersistentVolumeSource> {}

export const StorageOSPersistentVolumeSource = schema('core/v1.StorageOSPersistentVolumeSource', {
  optional: {
    volumeName: string(1),
    volumeNamespace: string(2),
    fsType: string(3),
    readOnly: bool(4),
    secretRef: ref<ObjectReference>(5, 'core/v1.ObjectReference'),
  },
})
export interface StorageOSPersistentVolumeSource extends Infer<typeof StorageOSPersistentVolumeSource> {}
