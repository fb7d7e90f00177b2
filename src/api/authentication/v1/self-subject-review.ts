import { ref } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { UserInfo } from './user-info.js'

export const SelfSubjectReview = kind('authentication/v1.SelfSubjectReview', {
  optional: {
    metadata: objectMetadata,
    status: ref<SelfSubjectReviewStatus>(2, 'authentication/v1.SelfSubjectReviewStatus', { always: true }),
  },
  resource: { plural: 'selfsubjectreviews', verbs: ['create'], columns: [] },
})
export interface SelfSubjectReview extends Instance<typeof SelfSubjectReview> {}

export const SelfSubjectReviewStatus = schema('authentication/v1.SelfSubjectReviewStatus', {
  optional: {
    userInfo: ref<UserInfo>(1, 'authentication/v1.UserInfo', { always: true }),
  },
})
export interface SelfSubjectReviewStatus extends Infer<typeof SelfSubjectReviewStatus> {}
