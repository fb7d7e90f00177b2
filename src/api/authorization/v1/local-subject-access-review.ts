import { ref } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { kind } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './subject-access-review.js'

export const LocalSubjectAccessReview = kind('authorization/v1.LocalSubjectAccessReview', {
  required: {
    spec: ref<SubjectAccessReviewSpec>(2, 'authorization/v1.SubjectAccessReviewSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<SubjectAccessReviewStatus>(3, 'authorization/v1.SubjectAccessReviewStatus', { always: true }),
  },
  resource: { plural: 'localsubjectaccessreviews', namespaced: true, verbs: ['create'], columns: [] },
})
export interface LocalSubjectAccessReview extends Instance<typeof LocalSubjectAccessReview> {}
