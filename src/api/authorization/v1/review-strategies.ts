import * as field from '../../../schema/field-errors.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { LocalSubjectAccessReview } from './local-subject-access-review.js'
import {
  shownPath,
  specPath,
  validateAttributes,
  validateNoMetadata,
  validateSelectors,
  validateSubjectSpec,
} from './review-validation.js'
import { SelfSubjectAccessReview } from './self-subject-access-review.js'
import { SubjectAccessReview } from './subject-access-review.js'

export const localSubjectAccessReviewStrategy = declareStrategy<LocalSubjectAccessReview>(LocalSubjectAccessReview, {
  validate: ({ metadata, spec }) => [
    ...validateSubjectSpec(spec),
    ...validateNoMetadata(metadata, 'must be empty except for namespace', ['namespace']),
    ...validatePlace(spec, metadata.namespace ?? ''),
  ],
})

/** The namespace of the attributes must be that of the request. */
function validatePlace(spec: LocalSubjectAccessReview['spec'], namespace: string): readonly field.FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec
  const errors: field.FieldError[] = []
  const asked = resourceAttributes?.namespace ?? ''
  if (resourceAttributes && asked !== namespace)
    errors.push(
      field.invalid(specPath.child('resourceAttributes', 'namespace'), asked, 'must match metadata.namespace'),
    )
  if (nonResourceAttributes)
    errors.push(
      field.invalid(
        specPath.child('nonResourceAttributes'),
        shownPath(nonResourceAttributes),
        'disallowed on this kind of request',
      ),
    )
  return errors
}

export const selfSubjectAccessReviewStrategy = declareStrategy<SelfSubjectAccessReview>(SelfSubjectAccessReview, {
  validate: ({ metadata, spec }) => [
    ...validateAttributes(spec),
    ...validateSelectors(spec.resourceAttributes),
    ...validateNoMetadata(metadata, 'must be empty'),
  ],
})

export const subjectAccessReviewStrategy = declareStrategy<SubjectAccessReview>(SubjectAccessReview, {
  validate: ({ metadata, spec }) => [...validateSubjectSpec(spec), ...validateNoMetadata(metadata, 'must be empty')],
})
