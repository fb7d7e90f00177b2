import { enumeration, list, map, oneOf, quantity, ref, string, time, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema, wideColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { NodeSelector } from './affinity/node-selector.js'
import type { ObjectReference } from './object-reference.js'
import type {
  AzureFilePersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CinderPersistentVolumeSource,
  CSIPersistentVolumeSource,
  FlexPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  RBDPersistentVolumeSource,
  ScaleIOPersistentVolumeSource,
  StorageOSPersistentVolumeSource,
} from './persistent-volume/drivers.js'
import { PersistentVolumeAccessMode, PersistentVolumeMode } from './persistent-volume-claim.js'
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './volume/drivers.js'
import type { HostPathVolumeSource } from './volume.js'

export const PersistentVolumeReclaimPolicy = enumeration('core/v1.PersistentVolumeReclaimPolicy', [
  'Recycle',
  'Delete',
  'Retain',
])
export type PersistentVolumeReclaimPolicy = Values<typeof PersistentVolumeReclaimPolicy>

export const PersistentVolumePhase = enumeration('core/v1.PersistentVolumePhase', [
  'Pending',
  'Available',
  'Bound',
  'Released',
  'Failed',
])
export type PersistentVolumePhase = Values<typeof PersistentVolumePhase>

export const PersistentVolume = kind('core/v1.PersistentVolume', {
  optional: {
    metadata: objectMetadata,
    spec: ref<PersistentVolumeSpec>(2, 'core/v1.PersistentVolumeSpec', { always: true }),
    status: ref<PersistentVolumeStatus>(3, 'core/v1.PersistentVolumeStatus', { always: true }),
  },
  resource: {
    plural: 'persistentvolumes',
    returnsDeleted: true,
    shortNames: ['pv'],
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Capacity'),
      column('Access Modes'),
      column('Reclaim Policy'),
      column('Status'),
      column('Claim'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      column('Reason'),
      ageColumn,
      wideColumn('VolumeMode'),
    ],
  },
})
export interface PersistentVolume extends Instance<typeof PersistentVolume> {}

export const PersistentVolumeSpec = schema('core/v1.PersistentVolumeSpec', {
  optional: {
    capacity: map(1, quantity, { goType: 'v1.ResourceList' }),
    gcePersistentDisk: ref<GCEPersistentDiskVolumeSource>('2.1', 'core/v1.GCEPersistentDiskVolumeSource'),
    awsElasticBlockStore: ref<AWSElasticBlockStoreVolumeSource>('2.2', 'core/v1.AWSElasticBlockStoreVolumeSource'),
    hostPath: ref<HostPathVolumeSource>('2.3', 'core/v1.HostPathVolumeSource'),
    glusterfs: ref<GlusterfsPersistentVolumeSource>('2.4', 'core/v1.GlusterfsPersistentVolumeSource'),
    nfs: ref<NFSVolumeSource>('2.5', 'core/v1.NFSVolumeSource'),
    rbd: ref<RBDPersistentVolumeSource>('2.6', 'core/v1.RBDPersistentVolumeSource'),
    iscsi: ref<ISCSIPersistentVolumeSource>('2.7', 'core/v1.ISCSIPersistentVolumeSource'),
    cinder: ref<CinderPersistentVolumeSource>('2.8', 'core/v1.CinderPersistentVolumeSource'),
    cephfs: ref<CephFSPersistentVolumeSource>('2.9', 'core/v1.CephFSPersistentVolumeSource'),
    fc: ref<FCVolumeSource>('2.10', 'core/v1.FCVolumeSource'),
    flocker: ref<FlockerVolumeSource>('2.11', 'core/v1.FlockerVolumeSource'),
    flexVolume: ref<FlexPersistentVolumeSource>('2.12', 'core/v1.FlexPersistentVolumeSource'),
    azureFile: ref<AzureFilePersistentVolumeSource>('2.13', 'core/v1.AzureFilePersistentVolumeSource'),
    vsphereVolume: ref<VsphereVirtualDiskVolumeSource>('2.14', 'core/v1.VsphereVirtualDiskVolumeSource'),
    quobyte: ref<QuobyteVolumeSource>('2.15', 'core/v1.QuobyteVolumeSource'),
    azureDisk: ref<AzureDiskVolumeSource>('2.16', 'core/v1.AzureDiskVolumeSource'),
    photonPersistentDisk: ref<PhotonPersistentDiskVolumeSource>('2.17', 'core/v1.PhotonPersistentDiskVolumeSource'),
    portworxVolume: ref<PortworxVolumeSource>('2.18', 'core/v1.PortworxVolumeSource'),
    scaleIO: ref<ScaleIOPersistentVolumeSource>('2.19', 'core/v1.ScaleIOPersistentVolumeSource'),
    local: ref<LocalVolumeSource>('2.20', 'core/v1.LocalVolumeSource'),
    storageos: ref<StorageOSPersistentVolumeSource>('2.21', 'core/v1.StorageOSPersistentVolumeSource'),
    csi: ref<CSIPersistentVolumeSource>('2.22', 'core/v1.CSIPersistentVolumeSource'),
    accessModes: list(3, PersistentVolumeAccessMode),
    claimRef: ref<ObjectReference>(4, 'core/v1.ObjectReference', { atomic: false }),
    persistentVolumeReclaimPolicy: oneOf(5, PersistentVolumeReclaimPolicy, { default: 'Retain' }),
    storageClassName: string(6),
    mountOptions: list(7, string),
    volumeMode: oneOf(8, PersistentVolumeMode, { default: 'Filesystem', keepZero: true }),
    nodeAffinity: ref<VolumeNodeAffinity>(9, 'core/v1.VolumeNodeAffinity'),
    volumeAttributesClassName: string(10, { keepZero: true }),
  },
})
export interface PersistentVolumeSpec extends Infer<typeof PersistentVolumeSpec> {}

export const VolumeNodeAffinity = schema('core/v1.VolumeNodeAffinity', {
  optional: {
    required: ref<NodeSelector>(1, 'core/v1.NodeSelector'),
  },
})
export interface VolumeNodeAffinity extends Infer<typeof VolumeNodeAffinity> {}

export const PersistentVolumeStatus = schema('core/v1.PersistentVolumeStatus', {
  optional: {
    phase: oneOf(1, PersistentVolumePhase, { default: 'Pending' }),
    message: string(2),
    reason: string(3),
    lastPhaseTransitionTime: time(4),
  },
})
export interface PersistentVolumeStatus extends Infer<typeof PersistentVolumeStatus> {}
