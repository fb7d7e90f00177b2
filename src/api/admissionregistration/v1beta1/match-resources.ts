import { list, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { OperationType, ScopeType } from '../v1/match-resources.js'

export const MatchPolicyType = openEnumeration('admissionregistration/v1beta1.MatchPolicyType', ['Exact', 'Equivalent'])
export type MatchPolicyType = Values<typeof MatchPolicyType>

export const MatchResources = schema('admissionregistration/v1beta1.MatchResources', {
  optional: {
    namespaceSelector: ref<LabelSelector>(1, 'meta/v1.LabelSelector', { default: {} }),
    objectSelector: ref<LabelSelector>(2, 'meta/v1.LabelSelector', { default: {} }),
    resourceRules: list(3, ref<NamedRuleWithOperations>('admissionregistration/v1beta1.NamedRuleWithOperations')),
    excludeResourceRules: list(
      4,
      ref<NamedRuleWithOperations>('admissionregistration/v1beta1.NamedRuleWithOperations'),
    ),
    matchPolicy: oneOf(7, MatchPolicyType, { default: 'Equivalent', keepZero: true }),
  },
  atomic: true,
})
export interface MatchResources extends Infer<typeof MatchResources> {}

export const NamedRuleWithOperations = schema('admissionregistration/v1beta1.NamedRuleWithOperations', {
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
