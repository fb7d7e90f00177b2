import { bool, bytes, map, string } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ConfigMap = kind('core/v1.ConfigMap', {
  optional: {
    metadata: objectMetadata,
    data: map(2, string),
    binaryData: map(3, bytes),
    immutable: bool(4, { keepZero: true }),
  },
  resource: {
    plural: 'configmaps',
    shortNames: ['cm'],
    namespaced: true,
    columns: [nameColumn, column('Data'), ageColumn],
  },
})
export interface ConfigMap extends Instance<typeof ConfigMap> {}
