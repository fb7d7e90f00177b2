import { declareStrategy } from '../../../schema/strategy.js'
import { validateAttributes, validateNoMetadata, validateSelectors } from './review-validation.js'
import { SelfSubjectAccessReview } from './self-subject-access-review.js'

export const selfSubjectAccessReviewStrategy = declareStrategy<SelfSubjectAccessReview>(SelfSubjectAccessReview, {
  validate: ({ metadata, spec }) => [
    ...validateAttributes(spec),
    ...validateSelectors(spec.resourceAttributes),
    ...validateNoMetadata(metadata, 'must be empty'),
  ],
})
