import { bool, enumeration, list, map, oneOf, ref, string, type Values } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn } from '../../../schema/schema.js'
import type { TopologySelectorTerm } from '../../core/v1/affinity/node-selector.js'
import { PersistentVolumeReclaimPolicy } from '../../core/v1/persistent-volume.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const VolumeBindingMode = enumeration('storage/v1.VolumeBindingMode', ['Immediate', 'WaitForFirstConsumer'])
export type VolumeBindingMode = Values<typeof VolumeBindingMode>

export const StorageClass = kind('storage/v1.StorageClass', {
  required: {
    provisioner: string(2),
  },
  optional: {
    metadata: objectMetadata,
    parameters: map(3, string),
    reclaimPolicy: oneOf(4, PersistentVolumeReclaimPolicy, { keepZero: true }),
    mountOptions: list(5, string),
    allowVolumeExpansion: bool(6, { keepZero: true }),
    volumeBindingMode: oneOf(7, VolumeBindingMode, { keepZero: true }),
    allowedTopologies: list(8, ref<TopologySelectorTerm>('core/v1.TopologySelectorTerm')),
  },
  resource: {
    plural: 'storageclasses',
    returnsDeleted: true,
    shortNames: ['sc'],
    columns: [
      nameColumn,
      column('Provisioner'),
      column('ReclaimPolicy'),
      column('VolumeBindingMode'),
      column('AllowVolumeExpansion'),
      ageColumn,
    ],
  },
})
export interface StorageClass extends Instance<typeof StorageClass> {}
