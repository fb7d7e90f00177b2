import { bool, int32, int64, list, map, ref, string } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import type { LabelSelector } from '../../../meta/v1/label-selector.js'
import type { ObjectFieldSelector, ResourceFieldSelector } from '../container/env.js'

export const ConfigMapVolumeSource = schema('core/v1.ConfigMapVolumeSource', {
  optional: {
    name: string('1.1', { default: '' }),
    items: list(2, ref<KeyToPath>('core/v1.KeyToPath')),
    defaultMode: int32(3, { default: 420, keepZero: true }),
    optional: bool(4, { keepZero: true }),
  },
})
export interface ConfigMapVolumeSource extends Infer<typeof ConfigMapVolumeSource> {}

export const KeyToPath = schema('core/v1.KeyToPath', {
  required: {
    key: string(1),
    path: string(2),
  },
  optional: {
    mode: int32(3, { keepZero: true }),
  },
})
export interface KeyToPath extends Infer<typeof KeyToPath> {}

export const DownwardAPIVolumeSource = schema('core/v1.DownwardAPIVolumeSource', {
  optional: {
    items: list(1, ref<DownwardAPIVolumeFile>('core/v1.DownwardAPIVolumeFile')),
    defaultMode: int32(2, { default: 420, keepZero: true }),
  },
})
export interface DownwardAPIVolumeSource extends Infer<typeof DownwardAPIVolumeSource> {}

export const DownwardAPIVolumeFile = schema('core/v1.DownwardAPIVolumeFile', {
  required: {
    path: string(1),
  },
  optional: {
    fieldRef: ref<ObjectFieldSelector>(2, 'core/v1.ObjectFieldSelector'),
    resourceFieldRef: ref<ResourceFieldSelector>(3, 'core/v1.ResourceFieldSelector'),
    mode: int32(4, { keepZero: true }),
  },
})
export interface DownwardAPIVolumeFile extends Infer<typeof DownwardAPIVolumeFile> {}

export const ProjectedVolumeSource = schema('core/v1.ProjectedVolumeSource', {
  optional: {
    sources: list(1, ref<VolumeProjection>('core/v1.VolumeProjection'), { always: true }),
    defaultMode: int32(2, { default: 420, keepZero: true }),
  },
})
export interface ProjectedVolumeSource extends Infer<typeof ProjectedVolumeSource> {}

export const VolumeProjection = schema('core/v1.VolumeProjection', {
  optional: {
    secret: ref<SecretProjection>(1, 'core/v1.SecretProjection'),
    downwardAPI: ref<DownwardAPIProjection>(2, 'core/v1.DownwardAPIProjection'),
    configMap: ref<ConfigMapProjection>(3, 'core/v1.ConfigMapProjection'),
    serviceAccountToken: ref<ServiceAccountTokenProjection>(4, 'core/v1.ServiceAccountTokenProjection'),
    clusterTrustBundle: ref<ClusterTrustBundleProjection>(5, 'core/v1.ClusterTrustBundleProjection'),
    podCertificate: ref<PodCertificateProjection>(6, 'core/v1.PodCertificateProjection'),
  },
})
export interface VolumeProjection extends Infer<typeof VolumeProjection> {}

export const ClusterTrustBundleProjection = schema('core/v1.ClusterTrustBundleProjection', {
  required: {
    path: string(4),
  },
  optional: {
    name: string(1, { keepZero: true }),
    signerName: string(2, { keepZero: true }),
    labelSelector: ref<LabelSelector>(3, 'meta/v1.LabelSelector'),
    optional: bool(5, { keepZero: true }),
  },
})
export interface ClusterTrustBundleProjection extends Infer<typeof ClusterTrustBundleProjection> {}

export const ConfigMapProjection = schema('core/v1.ConfigMapProjection', {
  optional: {
    name: string('1.1', { default: '' }),
    items: list(2, ref<KeyToPath>('core/v1.KeyToPath')),
    optional: bool(4, { keepZero: true }),
  },
})
export interface ConfigMapProjection extends Infer<typeof ConfigMapProjection> {}

export const DownwardAPIProjection = schema('core/v1.DownwardAPIProjection', {
  optional: {
    items: list(1, ref<DownwardAPIVolumeFile>('core/v1.DownwardAPIVolumeFile')),
  },
})
export interface DownwardAPIProjection extends Infer<typeof DownwardAPIProjection> {}

export const PodCertificateProjection = schema('core/v1.PodCertificateProjection', {
  required: {
    signerName: string(1, { always: false }),
    keyType: string(2, { always: false }),
  },
  optional: {
    maxExpirationSeconds: int32(3, { keepZero: true }),
    credentialBundlePath: string(4),
    keyPath: string(5),
    certificateChainPath: string(6),
    userAnnotations: map(7, string),
  },
})
export interface PodCertificateProjection extends Infer<typeof PodCertificateProjection> {}

export const SecretProjection = schema('core/v1.SecretProjection', {
  optional: {
    name: string('1.1', { default: '' }),
    items: list(2, ref<KeyToPath>('core/v1.KeyToPath')),
    optional: bool(4, { keepZero: true }),
  },
})
export interface SecretProjection extends Infer<typeof SecretProjection> {}

export const ServiceAccountTokenProjection = schema('core/v1.ServiceAccountTokenProjection', {
  required: {
    path: string(3),
  },
  optional: {
    audience: string(1),
    expirationSeconds: int64(2, { default: 3600, keepZero: true }),
  },
})
export interface ServiceAccountTokenProjection extends Infer<typeof ServiceAccountTokenProjection> {}

export const SecretVolumeSource = schema('core/v1.SecretVolumeSource', {
  optional: {
    secretName: string(1),
    items: list(2, ref<KeyToPath>('core/v1.KeyToPath')),
    defaultMode: int32(3, { default: 420, keepZero: true }),
    optional: bool(4, { keepZero: true }),
  },
})
export interface SecretVolumeSource extends Infer<typeof SecretVolumeSource> {}
