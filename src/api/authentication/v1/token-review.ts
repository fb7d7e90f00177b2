import { bool, list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { UserInfo } from './user-info.js'

export const TokenReview = kind('authentication/v1.TokenReview', {
  required: {
    spec: ref<TokenReviewSpec>(2, 'authentication/v1.TokenReviewSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<TokenReviewStatus>(3, 'authentication/v1.TokenReviewStatus', { always: true }),
  },
  resource: { plural: 'tokenreviews', verbs: ['create'], columns: [] },
})
export interface TokenReview extends Instance<typeof TokenReview> {}

export const TokenReviewSpec = schema('authentication/v1.TokenReviewSpec', {
  required: {
    token: string(1, { always: false }),
  },
  optional: {
    audiences: list(2, string),
  },
})
export interface TokenReviewSpec extends Infer<typeof TokenReviewSpec> {}

export const TokenReviewStatus = schema('authentication/v1.TokenReviewStatus', {
  optional: {
    authenticated: bool(1),
    user: ref<UserInfo>(2, 'authentication/v1.UserInfo', { always: true }),
    error: string(3),
    audiences: list(4, string),
  },
})
export interface TokenReviewStatus extends Infer<typeof TokenReviewStatus> {}
