import { map, string } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const VolumeAttributesClass = kind('storage/v1.VolumeAttributesClass', {
  required: {
    driverName: string(2),
  },
  optional: {
    metadata: objectMetadata,
    parameters: map(3, string),
  },
  resource: {
    plural: 'volumeattributesclasses',
    returnsDeleted: true,
    shortNames: ['vac'],
    columns: [nameColumn, column('DriverName'), ageColumn],
  },
})
export interface VolumeAttributesClass extends Instance<typeof VolumeAttributesClass> {}
