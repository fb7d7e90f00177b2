import { int32, list, oneOf, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { FailurePolicyType, ReinvocationPolicyType, SideEffectClass } from './failure-policy.js'
import { type MatchCondition, MatchPolicyType, type RuleWithOperations } from './match-resources.js'
import type { WebhookClientConfig } from './webhook-client.js'

export const MutatingWebhookConfiguration = kind('admissionregistration/v1.MutatingWebhookConfiguration', {
  optional: {
    metadata: objectMetadata,
    webhooks: list(2, ref<MutatingWebhook>('admissionregistration/v1.MutatingWebhook'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
  },
  resource: {
    plural: 'mutatingwebhookconfigurations',
    categories: ['api-extensions'],
    columns: [nameColumn, column('Webhooks', { type: 'integer' }), ageColumn],
  },
})
export interface MutatingWebhookConfiguration extends Instance<typeof MutatingWebhookConfiguration> {}

export const MutatingWebhook = schema('admissionregistration/v1.MutatingWebhook', {
  required: {
    name: string(1),
    clientConfig: ref<WebhookClientConfig>(2, 'admissionregistration/v1.WebhookClientConfig'),
    sideEffects: oneOf(6, SideEffectClass, { always: 'null' }),
    admissionReviewVersions: list(8, string),
  },
  optional: {
    rules: list(3, ref<RuleWithOperations>('admissionregistration/v1.RuleWithOperations')),
    failurePolicy: oneOf(4, FailurePolicyType, { default: 'Fail', keepZero: true }),
    namespaceSelector: ref<LabelSelector>(5, 'meta/v1.LabelSelector', { default: {} }),
    timeoutSeconds: int32(7, { default: 10, keepZero: true }),
    matchPolicy: oneOf(9, MatchPolicyType, { default: 'Equivalent', keepZero: true }),
    reinvocationPolicy: oneOf(10, ReinvocationPolicyType, { default: 'Never', keepZero: true }),
    objectSelector: ref<LabelSelector>(11, 'meta/v1.LabelSelector', { default: {} }),
    matchConditions: list(12, ref<MatchCondition>('admissionregistration/v1.MatchCondition'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
  },
})
export interface MutatingWebhook extends Infer<typeof MutatingWebhook> {}
