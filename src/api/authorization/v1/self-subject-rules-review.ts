import { bool, list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const SelfSubjectRulesReview = kind('authorization/v1.SelfSubjectRulesReview', {
  required: {
    spec: ref<SelfSubjectRulesReviewSpec>(2, 'authorization/v1.SelfSubjectRulesReviewSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<SubjectRulesReviewStatus>(3, 'authorization/v1.SubjectRulesReviewStatus', { always: true }),
  },
  resource: { plural: 'selfsubjectrulesreviews', verbs: ['create'], columns: [] },
})
export interface SelfSubjectRulesReview extends Instance<typeof SelfSubjectRulesReview> {}

export const SelfSubjectRulesReviewSpec = schema('authorization/v1.SelfSubjectRulesReviewSpec', {
  optional: {
    namespace: string(1),
  },
})
export interface SelfSubjectRulesReviewSpec extends Infer<typeof SelfSubjectRulesReviewSpec> {}

export const SubjectRulesReviewStatus = schema('authorization/v1.SubjectRulesReviewStatus', {
  required: {
    resourceRules: list(1, ref<ResourceRule>('authorization/v1.ResourceRule')),
    nonResourceRules: list(2, ref<NonResourceRule>('authorization/v1.NonResourceRule')),
    incomplete: bool(3),
  },
  optional: {
    evaluationError: string(4),
  },
})
export interface SubjectRulesReviewStatus extends Infer<typeof SubjectRulesReviewStatus> {}

export const NonResourceRule = schema('authorization/v1.NonResourceRule', {
  required: {
    verbs: list(1, string),
  },
  optional: {
    nonResourceURLs: list(2, string),
  },
})
export interface NonResourceRule extends Infer<typeof NonResourceRule> {}

export const ResourceRule = schema('authorization/v1.ResourceRule', {
  required: {
    verbs: list(1, string),
  },
  optional: {
    apiGroups: list(2, string),
    resources: list(3, string),
    resourceNames: list(4, string),
  },
})
export interface ResourceRule extends Infer<typeof ResourceRule> {}
