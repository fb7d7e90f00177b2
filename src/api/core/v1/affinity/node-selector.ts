import { enumeration, list, oneOf, ref, string, type Values } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'

export const NodeSelectorOperator = enumeration('core/v1.NodeSelectorOperator', [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
])
export type NodeSelectorOperator = Values<typeof NodeSelectorOperator>

export const NodeSelector = schema('core/v1.NodeSelector', {
  required: {
    nodeSelectorTerms: list(1, ref<NodeSelectorTerm>('core/v1.NodeSelectorTerm')),
  },
  atomic: true,
})
export interface NodeSelector extends Infer<typeof NodeSelector> {}

export const NodeSelectorTerm = schema('core/v1.NodeSelectorTerm', {
  optional: {
    matchExpressions: list(1, ref<NodeSelectorRequirement>('core/v1.NodeSelectorRequirement')),
    matchFields: list(2, ref<NodeSelectorRequirement>('core/v1.NodeSelectorRequirement')),
  },
  atomic: true,
})
export interface NodeSelectorTerm extends Infer<typeof NodeSelectorTerm> {}

export const NodeSelectorRequirement = schema('core/v1.NodeSelectorRequirement', {
  required: {
    key: string(1),
    operator: oneOf(2, NodeSelectorOperator),
  },
  optional: {
    values: list(3, string),
  },
})
export interface NodeSelectorRequirement extends Infer<typeof NodeSelectorRequirement> {}

export const TopologySelectorTerm = schema('core/v1.TopologySelectorTerm', {
  optional: {
    matchLabelExpressions: list(1, ref<TopologySelectorLabelRequirement>('core/v1.TopologySelectorLabelRequirement')),
  },
  atomic: true,
})
export interface TopologySelectorTerm extends Infer<typeof TopologySelectorTerm> {}

export const TopologySelectorLabelRequirement = schema('core/v1.TopologySelectorLabelRequirement', {
  required: {
    key: string(1),
    values: list(2, string),
  },
})
export interface TopologySelectorLabelRequirement extends Infer<typeof TopologySelectorLabelRequirement> {}
