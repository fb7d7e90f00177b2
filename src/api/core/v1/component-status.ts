import { list, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { ConditionStatus } from './condition-status.js'

export const ComponentConditionType = openEnumeration('core/v1.ComponentConditionType', ['Healthy'])
export type ComponentConditionType = Values<typeof ComponentConditionType>

export const ComponentStatus = kind('core/v1.ComponentStatus', {
  optional: {
    metadata: objectMetadata,
    conditions: list(2, ref<ComponentCondition>('core/v1.ComponentCondition'), { keys: ['type'], mergeKey: 'type' }),
  },
  resource: {
    plural: 'componentstatuses',
    deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
    shortNames: ['cs'],
    verbs: ['get', 'list'],
    columns: [nameColumn, column('Status'), column('Message'), column('Error')],
  },
})
export interface ComponentStatus extends Instance<typeof ComponentStatus> {}

export const ComponentCondition = schema('core/v1.ComponentCondition', {
  required: {
    type: oneOf(1, ComponentConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    message: string(3),
    error: string(4),
  },
})
export interface ComponentCondition extends Infer<typeof ComponentCondition> {}
