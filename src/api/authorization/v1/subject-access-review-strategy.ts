import { declareStrategy } from '../../../schema/strategy.js'
import { validateNoMetadata, validateSubjectSpec } from './review-validation.js'
import { SubjectAccessReview } from './subject-access-review.js'

export const subjectAccessReviewStrategy = declareStrategy<SubjectAccessReview>(SubjectAccessReview, {
  validate: ({ metadata, spec }) => [...validateSubjectSpec(spec), ...validateNoMetadata(metadata, 'must be empty')],
})
