import { enumeration, list, oneOf, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'

export const MatchPolicyType = enumeration('admissionregistration/v1.MatchPolicyType', ['Exact', 'Equivalent'])
export type MatchPolicyType = Values<typeof MatchPolicyType>

export const OperationType = enumeration('admissionregistration/v1.OperationType', [
  '*',
  'CREATE',
  'UPDATE',
  'DELETE',
  'CONNECT',
])
export type OperationType = Values<typeof OperationType>

export const ScopeType = enumeration('admissionregistration/v1.ScopeType', ['Cluster', 'Namespaced', '*'])
export type ScopeType = Values<typeof ScopeType>

export const MatchCondition = schema('admissionregistration/v1.MatchCondition', {
  required: {
    name: string(1),
    expression: string(2),
  },
})
export interface MatchCondition extends Infer<typeof MatchCondition> {}

export const MatchResources = schema('admissionregistration/v1.MatchResources', {
  optional: {
    namespaceSelector: ref<LabelSelector>(1, 'meta/v1.LabelSelector', { default: {} }),
    objectSelector: ref<LabelSelector>(2, 'meta/v1.LabelSelector', { default: {} }),
    resourceRules: list(3, ref<NamedRuleWithOperations>('admissionregistration/v1.NamedRuleWithOperations')),
    excludeResourceRules: list(4, ref<NamedRuleWithOperations>('admissionregistration/v1.NamedRuleWithOperations')),
    matchPolicy: oneOf(7, MatchPolicyType, { default: 'Equivalent', keepZero: true }),
  },
  atomic: true,
})
export interface MatchResources extends Infer<typeof MatchResources> {}

export const NamedRuleWithOperations = schema('admissionregistration/v1.NamedRuleWithOperations', {
  optional: {
    resourceNames: list(1, string),
    operations: list('2.1', OperationType),
    apiGroups: list('2.2.1', string),
    apiVersions: list('2.2.2', string),
    resources: list('2.2.3', string),
    scope: oneOf('2.2.4', ScopeType, { default: '*', keepZero: true }),
  },
  atomic: true,
})
export interface NamedRuleWithOperations extends Infer<typeof NamedRuleWithOperations> {}

export const RuleWithOperations = schema('admissionregistration/v1.RuleWithOperations', {
  optional: {
    operations: list(1, OperationType),
    apiGroups: list('2.1', string),
    apiVersions: list('2.2', string),
    resources: list('2.3', string),
    scope: oneOf('2.4', ScopeType, { default: '*', keepZero: true }),
  },
})
export interface RuleWithOperations extends Infer<typeof RuleWithOperations> {}
