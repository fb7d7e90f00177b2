import {
  bool,
  enumeration,
  map,
  oneOf,
  openEnumeration,
  quantity,
  ref,
  string,
  type Values,
} from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import { PullPolicy } from './container.js'
import type { LocalObjectReference } from './object-reference.js'
import type { PersistentVolumeClaimTemplate } from './persistent-volume-claim.js'
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './volume/drivers.js'
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from './volume/projection.js'

export const StorageMedium = openEnumeration('core/v1.StorageMedium', ['', 'Memory', 'HugePages', 'HugePages-'])
export type StorageMedium = Values<typeof StorageMedium>

export const HostPathType = enumeration('core/v1.HostPathType', [
  '',
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
])
export type HostPathType = Values<typeof HostPathType>

export const Volume = schema('core/v1.Volume', {
  required: {
    name: string(1),
  },
  optional: {
    hostPath: ref<HostPathVolumeSource>('2.1', 'core/v1.HostPathVolumeSource'),
    emptyDir: ref<EmptyDirVolumeSource>('2.2', 'core/v1.EmptyDirVolumeSource'),
    gcePersistentDisk: ref<GCEPersistentDiskVolumeSource>('2.3', 'core/v1.GCEPersistentDiskVolumeSource'),
    awsElasticBlockStore: ref<AWSElasticBlockStoreVolumeSource>('2.4', 'core/v1.AWSElasticBlockStoreVolumeSource'),
    gitRepo: ref<GitRepoVolumeSource>('2.5', 'core/v1.GitRepoVolumeSource'),
    secret: ref<SecretVolumeSource>('2.6', 'core/v1.SecretVolumeSource'),
    nfs: ref<NFSVolumeSource>('2.7', 'core/v1.NFSVolumeSource'),
    iscsi: ref<ISCSIVolumeSource>('2.8', 'core/v1.ISCSIVolumeSource'),
    glusterfs: ref<GlusterfsVolumeSource>('2.9', 'core/v1.GlusterfsVolumeSource'),
    persistentVolumeClaim: ref<PersistentVolumeClaimVolumeSource>('2.10', 'core/v1.PersistentVolumeClaimVolumeSource'),
    rbd: ref<RBDVolumeSource>('2.11', 'core/v1.RBDVolumeSource'),
    flexVolume: ref<FlexVolumeSource>('2.12', 'core/v1.FlexVolumeSource'),
    cinder: ref<CinderVolumeSource>('2.13', 'core/v1.CinderVolumeSource'),
    cephfs: ref<CephFSVolumeSource>('2.14', 'core/v1.CephFSVolumeSource'),
    flocker: ref<FlockerVolumeSource>('2.15', 'core/v1.FlockerVolumeSource'),
    downwardAPI: ref<DownwardAPIVolumeSource>('2.16', 'core/v1.DownwardAPIVolumeSource'),
    fc: ref<FCVolumeSource>('2.17', 'core/v1.FCVolumeSource'),
    azureFile: ref<AzureFileVolumeSource>('2.18', 'core/v1.AzureFileVolumeSource'),
    configMap: ref<ConfigMapVolumeSource>('2.19', 'core/v1.ConfigMapVolumeSource'),
    vsphereVolume: ref<VsphereVirtualDiskVolumeSource>('2.20', 'core/v1.VsphereVirtualDiskVolumeSource'),
    quobyte: ref<QuobyteVolumeSource>('2.21', 'core/v1.QuobyteVolumeSource'),
    azureDisk: ref<AzureDiskVolumeSource>('2.22', 'core/v1.AzureDiskVolumeSource'),
    photonPersistentDisk: ref<PhotonPersistentDiskVolumeSource>('2.23', 'core/v1.PhotonPersistentDiskVolumeSource'),
    portworxVolume: ref<PortworxVolumeSource>('2.24', 'core/v1.PortworxVolumeSource'),
    scaleIO: ref<ScaleIOVolumeSource>('2.25', 'core/v1.ScaleIOVolumeSource'),
    projected: ref<ProjectedVolumeSource>('2.26', 'core/v1.ProjectedVolumeSource'),
    storageos: ref<StorageOSVolumeSource>('2.27', 'core/v1.StorageOSVolumeSource'),
    csi: ref<CSIVolumeSource>('2.28', 'core/v1.CSIVolumeSource'),
    ephemeral: ref<EphemeralVolumeSource>('2.29', 'core/v1.EphemeralVolumeSource'),
    image: ref<ImageVolumeSource>('2.30', 'core/v1.ImageVolumeSource'),
  },
})
export interface Volume extends Infer<typeof Volume> {}

export const CSIVolumeSource = schema('core/v1.CSIVolumeSource', {
  required: {
    driver: string(1),
  },
  optional: {
    readOnly: bool(2, { keepZero: true }),
    fsType: string(3, { keepZero: true }),
    volumeAttributes: map(4, string),
    nodePublishSecretRef: ref<LocalObjectReference>(5, 'core/v1.LocalObjectReference'),
  },
})
export interface CSIVolumeSource extends Infer<typeof CSIVolumeSource> {}

export const EmptyDirVolumeSource = schema('core/v1.EmptyDirVolumeSource', {
  optional: {
    medium: oneOf(1, StorageMedium),
    sizeLimit: quantity(2),
  },
})
export interface EmptyDirVolumeSource extends Infer<typeof EmptyDirVolumeSource> {}

export const EphemeralVolumeSource = schema('core/v1.EphemeralVolumeSource', {
  optional: {
    volumeClaimTemplate: ref<PersistentVolumeClaimTemplate>(1, 'core/v1.PersistentVolumeClaimTemplate'),
  },
})
export interface EphemeralVolumeSource extends Infer<typeof EphemeralVolumeSource> {}

export const HostPathVolumeSource = schema('core/v1.HostPathVolumeSource', {
  required: {
    path: string(1),
  },
  optional: {
    type: oneOf(2, HostPathType, { default: '', keepZero: true }),
  },
})
export interface HostPathVolumeSource extends Infer<typeof HostPathVolumeSource> {}

export const ImageVolumeSource = schema('core/v1.ImageVolumeSource', {
  optional: {
    reference: string(1),
    pullPolicy: oneOf(2, PullPolicy),
  },
})
export interface ImageVolumeSource extends Infer<typeof ImageVolumeSource> {}

export const PersistentVolumeClaimVolumeSource = schema('core/v1.PersistentVolumeClaimVolumeSource', {
  required: {
    claimName: string(1),
  },
  optional: {
    readOnly: bool(2),
  },
})
export interface PersistentVolumeClaimVolumeSource extends Infer<typeof PersistentVolumeClaimVolumeSource> {}
