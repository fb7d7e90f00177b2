import { bool, int64, list, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const VolumeLifecycleMode = openEnumeration('storage/v1.VolumeLifecycleMode', ['Persistent', 'Ephemeral'])
export type VolumeLifecycleMode = Values<typeof VolumeLifecycleMode>

export const FSGroupPolicy = openEnumeration('storage/v1.FSGroupPolicy', ['ReadWriteOnceWithFSType', 'File', 'None'])
export type FSGroupPolicy = Values<typeof FSGroupPolicy>

export const CSIDriver = kind('storage/v1.CSIDriver', {
  required: {
    spec: ref<CSIDriverSpec>(2, 'storage/v1.CSIDriverSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  resource: {
    plural: 'csidrivers',
    returnsDeleted: true,
    columns: [
      nameColumn,
      column('AttachRequired', { type: 'boolean' }),
      column('PodInfoOnMount', { type: 'boolean' }),
      column('StorageCapacity', { type: 'boolean' }),
      column('TokenRequests'),
      column('RequiresRepublish', { type: 'boolean' }),
      column('Modes'),
      ageColumn,
    ],
  },
})
export interface CSIDriver extends Instance<typeof CSIDriver> {}

export const CSIDriverSpec = schema('storage/v1.CSIDriverSpec', {
  optional: {
    attachRequired: bool(1, { keepZero: true }),
    podInfoOnMount: bool(2, { keepZero: true }),
    volumeLifecycleModes: list(3, VolumeLifecycleMode, { set: true }),
    storageCapacity: bool(4, { keepZero: true }),
    fsGroupPolicy: oneOf(5, FSGroupPolicy, { keepZero: true }),
    tokenRequests: list(6, ref<TokenRequest>('storage/v1.TokenRequest')),
    requiresRepublish: bool(7, { keepZero: true }),
    seLinuxMount: bool(8, { keepZero: true }),
    nodeAllocatableUpdatePeriodSeconds: int64(9, { keepZero: true }),
    serviceAccountTokenInSecrets: bool(10, { keepZero: true }),
    preventPodSchedulingIfMissing: bool(11, { keepZero: true }),
  },
})
export interface CSIDriverSpec extends Infer<typeof CSIDriverSpec> {}

export const TokenRequest = schema('storage/v1.TokenRequest', {
  required: {
    audience: string(1),
  },
  optional: {
    expirationSeconds: int64(2, { keepZero: true }),
  },
})
export interface TokenRequest extends Infer<typeof TokenRequest> {}
