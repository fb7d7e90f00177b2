import { ref } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { NonResourceAttributes, ResourceAttributes } from './attributes.js'
import type { SubjectAccessReviewStatus } from './subject-access-review.js'

export const SelfSubjectAccessReview = kind('authorization/v1.SelfSubjectAccessReview', {
  required: {
    spec: ref<SelfSubjectAccessReviewSpec>(2, 'authorization/v1.SelfSubjectAccessReviewSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<SubjectAccessReviewStatus>(3, 'authorization/v1.SubjectAccessReviewStatus', { always: true }),
  },
  resource: { plural: 'selfsubjectaccessreviews', verbs: ['create'], columns: [] },
})
export interface SelfSubjectAccessReview extends Instance<typeof SelfSubjectAccessReview> {}

export const SelfSubjectAccessReviewSpec = schema('authorization/v1.SelfSubjectAccessReviewSpec', {
  optional: {
    resourceAttributes: ref<ResourceAttributes>(1, 'authorization/v1.ResourceAttributes'),
    nonResourceAttributes: ref<NonResourceAttributes>(2, 'authorization/v1.NonResourceAttributes'),
  },
})
export interface SelfSubjectAccessReviewSpec extends Infer<typeof SelfSubjectAccessReviewSpec> {}
