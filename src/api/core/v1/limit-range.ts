import { list, map, oneOf, openEnumeration, quantity, ref, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const LimitType = openEnumeration('core/v1.LimitType', ['Pod', 'Container', 'PersistentVolumeClaim'])
export type LimitType = Values<typeof LimitType>

export const LimitRange = kind('core/v1.LimitRange', {
  optional: {
    metadata: objectMetadata,
    spec: ref<LimitRangeSpec>(2, 'core/v1.LimitRangeSpec', { always: true }),
  },
  resource: {
    plural: 'limitranges',
    shortNames: ['limits'],
    namespaced: true,
    columns: [nameColumn, column('Created At', { type: 'date' })],
  },
})
export interface LimitRange extends Instance<typeof LimitRange> {}

export const LimitRangeSpec = schema('core/v1.LimitRangeSpec', {
  required: {
    limits: list(1, ref<LimitRangeItem>('core/v1.LimitRangeItem')),
  },
})
export interface LimitRangeSpec extends Infer<typeof LimitRangeSpec> {}

export const LimitRangeItem = schema('core/v1.LimitRangeItem', {
  required: {
    type: oneOf(1, LimitType),
  },
  optional: {
    max: map(2, quantity, { goType: 'v1.ResourceList' }),
    min: map(3, quantity, { goType: 'v1.ResourceList' }),
    default: map(4, quantity, { goType: 'v1.ResourceList' }),
    defaultRequest: map(5, quantity, { goType: 'v1.ResourceList' }),
    maxLimitRequestRatio: map(6, quantity, { goType: 'v1.ResourceList' }),
  },
})
export interface LimitRangeItem extends Infer<typeof LimitRangeItem> {}
