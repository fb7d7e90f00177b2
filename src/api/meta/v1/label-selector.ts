import { list, map, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const FieldSelectorOperator = openEnumeration('meta/v1.FieldSelectorOperator', [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
])
export type FieldSelectorOperator = Values<typeof FieldSelectorOperator>

export const LabelSelectorOperator = openEnumeration('meta/v1.LabelSelectorOperator', [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
])
export type LabelSelectorOperator = Values<typeof LabelSelectorOperator>

export const FieldSelectorRequirement = schema('meta/v1.FieldSelectorRequirement', {
  required: {
    key: string(1),
    operator: oneOf(2, FieldSelectorOperator),
  },
  optional: {
    values: list(3, string),
  },
})
export interface FieldSelectorRequirement extends Infer<typeof FieldSelectorRequirement> {}

export const LabelSelector = schema('meta/v1.LabelSelector', {
  optional: {
    matchLabels: map(1, string),
    matchExpressions: list(2, ref<LabelSelectorRequirement>('meta/v1.LabelSelectorRequirement')),
  },
  atomic: true,
})
export interface LabelSelector extends Infer<typeof LabelSelector> {}

export const LabelSelectorRequirement = schema('meta/v1.LabelSelectorRequirement', {
  required: {
    key: string(1),
    operator: oneOf(2, LabelSelectorOperator),
  },
  optional: {
    values: list(3, string),
  },
})
export interface LabelSelectorRequirement extends Infer<typeof LabelSelectorRequirement> {}
