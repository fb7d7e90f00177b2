import { quantity, ref, string } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { column, kind, nameColumn } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const CSIStorageCapacity = kind('storage/v1.CSIStorageCapacity', {
  required: {
    storageClassName: string(3),
  },
  optional: {
    metadata: objectMetadata,
    nodeTopology: ref<LabelSelector>(2, 'meta/v1.LabelSelector'),
    capacity: quantity(4),
    maximumVolumeSize: quantity(5),
  },
  resource: {
    plural: 'csistoragecapacities',
    namespaced: true,
    columns: [nameColumn, column('Created At', { type: 'date' })],
  },
})
export interface CSIStorageCapacity extends Instance<typeof CSIStorageCapacity> {}
