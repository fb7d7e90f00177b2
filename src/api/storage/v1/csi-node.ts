import { int32, list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const CSINode = kind('storage/v1.CSINode', {
  required: {
    spec: ref<CSINodeSpec>(2, 'storage/v1.CSINodeSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  resource: {
    plural: 'csinodes',
    returnsDeleted: true,
    columns: [nameColumn, column('Drivers', { type: 'integer' }), ageColumn],
  },
})
export interface CSINode extends Instance<typeof CSINode> {}

export const CSINodeSpec = schema('storage/v1.CSINodeSpec', {
  required: {
    drivers: list(1, ref<CSINodeDriver>('storage/v1.CSINodeDriver'), { keys: ['name'], mergeKey: 'name' }),
  },
})
export interface CSINodeSpec extends Infer<typeof CSINodeSpec> {}

export const CSINodeDriver = schema('storage/v1.CSINodeDriver', {
  required: {
    name: string(1),
    nodeID: string(2),
  },
  optional: {
    topologyKeys: list(3, string, { always: true }),
    allocatable: ref<VolumeNodeResources>(4, 'storage/v1.VolumeNodeResources'),
  },
})
export interface CSINodeDriver extends Infer<typeof CSINodeDriver> {}

export const VolumeNodeResources = schema('storage/v1.VolumeNodeResources', {
  optional: {
    count: int32(1, { keepZero: true }),
  },
})
export interface VolumeNodeResources extends Infer<typeof VolumeNodeResources> {}
