import { bool, list, listOf, map, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { NonResourceAttributes, ResourceAttributes } from './attributes.js'

export const SubjectAccessReview = kind('authorization/v1.SubjectAccessReview', {
  required: {
    spec: ref<SubjectAccessReviewSpec>(2, 'authorization/v1.SubjectAccessReviewSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<SubjectAccessReviewStatus>(3, 'authorization/v1.SubjectAccessReviewStatus', { always: true }),
  },
  resource: { plural: 'subjectaccessreviews', verbs: ['create'], columns: [] },
})
export interface SubjectAccessReview extends Instance<typeof SubjectAccessReview> {}

export const SubjectAccessReviewSpec = schema('authorization/v1.SubjectAccessReviewSpec', {
  optional: {
    resourceAttributes: ref<ResourceAttributes>(1, 'authorization/v1.ResourceAttributes'),
    nonResourceAttributes: ref<NonResourceAttributes>(2, 'authorization/v1.NonResourceAttributes'),
    user: string(3),
    groups: list(4, string),
    extra: map(5, listOf(string), { goType: 'map[string]v1.ExtraValue' }),
    uid: string(6),
  },
})
export interface SubjectAccessReviewSpec extends Infer<typeof SubjectAccessReviewSpec> {}

export const SubjectAccessReviewStatus = schema('authorization/v1.SubjectAccessReviewStatus', {
  required: {
    allowed: bool(1),
  },
  optional: {
    reason: string(2),
    evaluationError: string(3),
    denied: bool(4),
  },
})
export interface SubjectAccessReviewStatus extends Infer<typeof SubjectAccessReviewStatus> {}
