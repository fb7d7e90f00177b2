import { bool, enumeration, int32, list, map, oneOf, ref, string, type Values } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import type { LocalObjectReference } from '../object-reference.js'

export const AzureDataDiskCachingMode = enumeration('core/v1.AzureDataDiskCachingMode', [
  'None',
  'ReadOnly',
  'ReadWrite',
])
export type AzureDataDiskCachingMode = Values<typeof AzureDataDiskCachingMode>

export const AzureDataDiskKind = enumeration('core/v1.AzureDataDiskKind', ['Shared', 'Dedicated', 'Managed'])
export type AzureDataDiskKind = Values<typeof AzureDataDiskKind>

export const AWSElasticBlockStoreVolumeSource = schema('core/v1.AWSElasticBlockStoreVolumeSource', {
  required: {
    volumeID: string(1),
  },
  optional: {
    fsType: string(2),
    partition: int32(3),
    readOnly: bool(4),
  },
})
export interface AWSElasticBlockStoreVolumeSource extends Infer<typeof AWSElasticBlockStoreVolumeSource> {}

export const AzureDiskVolumeSource = schema('core/v1.AzureDiskVolumeSource', {
  required: {
    diskName: string(1),
    diskURI: string(2),
  },
  optional: {
    cachingMode: oneOf(3, AzureDataDiskCachingMode, { default: 'ReadWrite', keepZero: true }),
    fsType: string(4, { default: 'ext4', keepZero: true }),
    readOnly: bool(5, { default: false, keepZero: true }),
    kind: oneOf(6, AzureDataDiskKind, { default: 'Shared', keepZero: true }),
  },
})
export interface AzureDiskVolumeSource extends Infer<typeof AzureDiskVolumeSource> {}

export const AzureFileVolumeSource = schema('core/v1.AzureFileVolumeSource', {
  required: {
    secretName: string(1),
    shareName: string(2),
  },
  optional: {
    readOnly: bool(3),
  },
})
export interface AzureFileVolumeSource extends Infer<typeof AzureFileVolumeSource> {}

export const CephFSVolumeSource = schema('core/v1.CephFSVolumeSource', {
  required: {
    monitors: list(1, string),
  },
  optional: {
    path: string(2),
    user: string(3),
    secretFile: string(4),
    secretRef: ref<LocalObjectReference>(5, 'core/v1.LocalObjectReference'),
    readOnly: bool(6),
  },
})
export interface CephFSVolumeSource extends Infer<typeof CephFSVolumeSource> {}

export const CinderVolumeSource = schema('core/v1.CinderVolumeSource', {
  required: {
    volumeID: string(1),
  },
  optional: {
    fsType: string(2),
    readOnly: bool(3),
    secretRef: ref<LocalObjectReference>(4, 'core/v1.LocalObjectReference'),
  },
})
export interface CinderVolumeSource extends Infer<typeof CinderVolumeSource> {}

export const FCVolumeSource = schema('core/v1.FCVolumeSource', {
  optional: {
    targetWWNs: list(1, string),
    lun: int32(2, { keepZero: true }),
    fsType: string(3),
    readOnly: bool(4),
    wwids: list(5, string),
  },
})
export interface FCVolumeSource extends Infer<typeof FCVolumeSource> {}

export const FlexVolumeSource = schema('core/v1.FlexVolumeSource', {
  required: {
    driver: string(1),
  },
  optional: {
    fsType: string(2),
    secretRef: ref<LocalObjectReference>(3, 'core/v1.LocalObjectReference'),
    readOnly: bool(4),
    options: map(5, string),
  },
})
export interface FlexVolumeSource extends Infer<typeof FlexVolumeSource> {}

export const FlockerVolumeSource = schema('core/v1.FlockerVolumeSource', {
  optional: {
    datasetName: string(1),
    datasetUUID: string(2),
  },
})
export interface FlockerVolumeSource extends Infer<typeof FlockerVolumeSource> {}

export const GCEPersistentDiskVolumeSource = schema('core/v1.GCEPersistentDiskVolumeSource', {
  required: {
    pdName: string(1),
  },
  optional: {
    fsType: string(2),
    partition: int32(3),
    readOnly: bool(4),
  },
})
export interface GCEPersistentDiskVolumeSource extends Infer<typeof GCEPersistentDiskVolumeSource> {}

export const GitRepoVolumeSource = schema('core/v1.GitRepoVolumeSource', {
  required: {
    repository: string(1),
  },
  optional: {
    revision: string(2),
    directory: string(3),
  },
})
export interface GitRepoVolumeSource extends Infer<typeof GitRepoVolumeSource> {}

export const GlusterfsVolumeSource = schema('core/v1.GlusterfsVolumeSource', {
  required: {
    endpoints: string(1),
    path: string(2),
  },
  optional: {
    readOnly: bool(3),
  },
})
export interface GlusterfsVolumeSource extends Infer<typeof GlusterfsVolumeSource> {}

export const ISCSIVolumeSource = schema('core/v1.ISCSIVolumeSource', {
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
    secretRef: ref<LocalObjectReference>(10, 'core/v1.LocalObjectReference'),
    chapAuthSession: bool(11),
    initiatorName: string(12, { keepZero: true }),
  },
})
export interface ISCSIVolumeSource extends Infer<typeof ISCSIVolumeSource> {}

export const NFSVolumeSource = schema('core/v1.NFSVolumeSource', {
  required: {
    server: string(1),
    path: string(2),
  },
  optional: {
    readOnly: bool(3),
  },
})
export interface NFSVolumeSource extends Infer<typeof NFSVolumeSource> {}

export const PhotonPersistentDiskVolumeSource = schema('core/v1.PhotonPersistentDiskVolumeSource', {
  required: {
    pdID: string(1),
  },
  optional: {
    fsType: string(2),
  },
})
export interface PhotonPersistentDiskVolumeSource extends Infer<typeof PhotonPersistentDiskVolumeSource> {}

export const PortworxVolumeSource = schema('core/v1.PortworxVolumeSource', {
  required: {
    volumeID: string(1),
  },
  optional: {
    fsType: string(2),
    readOnly: bool(3),
  },
})
export interface PortworxVolumeSource extends Infer<typeof PortworxVolumeSource> {}

export const QuobyteVolumeSource = schema('core/v1.QuobyteVolumeSource', {
  required: {
    registry: string(1),
    volume: string(2),
  },
  optional: {
    readOnly: bool(3),
    user: string(4),
    group: string(5),
    tenant: string(6),
  },
})
export interface QuobyteVolumeSource extends Infer<typeof QuobyteVolumeSource> {}

export const RBDVolumeSource = schema('core/v1.RBDVolumeSource', {
  required: {
    monitors: list(1, string),
    image: string(2),
  },
  optional: {
    fsType: string(3),
    pool: string(4, { default: 'rbd' }),
    user: string(5, { default: 'admin' }),
    keyring: string(6, { default: '/etc/ceph/keyring' }),
    secretRef: ref<LocalObjectReference>(7, 'core/v1.LocalObjectReference'),
    readOnly: bool(8),
  },
})
export interface RBDVolumeSource extends Infer<typeof RBDVolumeSource> {}

export const ScaleIOVolumeSource = schema('core/v1.ScaleIOVolumeSource', {
  required: {
    gateway: string(1),
    system: string(2),
    secretRef: ref<LocalObjectReference>(3, 'core/v1.LocalObjectReference', { always: 'null' }),
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
export interface ScaleIOVolumeSource extends Infer<typeof ScaleIOVolumeSource> {}

export const StorageOSVolumeSource = schema('core/v1.StorageOSVolumeSource', {
  optional: {
    volumeName: string(1),
    volumeNamespace: string(2),
    fsType: string(3),
    readOnly: bool(4),
    secretRef: ref<LocalObjectReference>(5, 'core/v1.LocalObjectReference'),
  },
})
export interface StorageOSVolumeSource extends Infer<typeof StorageOSVolumeSource> {}

export const VsphereVirtualDiskVolumeSource = schema('core/v1.VsphereVirtualDiskVolumeSource', {
  required: {
    volumePath: string(1),
  },
  optional: {
    fsType: string(2),
    storagePolicyName: string(3),
    storagePolicyID: string(4),
  },
})
export interface VsphereVirtualDiskVolumeSource extends Infer<typeof VsphereVirtualDiskVolumeSource> {}
