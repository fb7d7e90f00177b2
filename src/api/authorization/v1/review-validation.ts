/** Validates the specs of access reviews, which are not stored. */
import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { FieldSelectorRequirement } from '../../meta/v1/label-selector.js'
import type { ObjectMeta } from '../../meta/v1/object-meta.js'
import { validateLabelRequirement } from '../../selectors/label-selector-validation.js'
import type { NonResourceAttributes, ResourceAttributes } from './attributes.js'
import type { SubjectAccessReviewSpec } from './subject-access-review.js'

export const specPath = fieldPath('spec')

export interface ReviewedAttributes {
  readonly resourceAttributes?: ResourceAttributes
  readonly nonResourceAttributes?: NonResourceAttributes
}

/** Requires exactly one of resource attributes and non-resource attributes. */
export function validateAttributes(spec: ReviewedAttributes): readonly field.FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec
  const errors: field.FieldError[] = []
  if (resourceAttributes && nonResourceAttributes)
    errors.push(
      field.invalid(
        specPath.child('nonResourceAttributes'),
        shownPath(nonResourceAttributes),
        'cannot be specified in combination with resourceAttributes',
      ),
    )
  if (!resourceAttributes && !nonResourceAttributes)
    errors.push(
      field.invalid(
        specPath.child('resourceAttributes'),
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    )
  return errors
}

/** Validates a review for another user, who must be named. */
export function validateSubjectSpec(spec: SubjectAccessReviewSpec): readonly field.FieldError[] {
  const { user = '', groups } = spec
  const errors = [...validateAttributes(spec)]
  if (user === '' && (groups ?? []).length === 0)
    errors.push(field.invalid(specPath.child('user'), user, 'at least one of user or group must be specified'))
  errors.push(...validateSelectors(spec.resourceAttributes))
  return errors
}

/** The form in messages. */
export function shownPath({ path = '', verb = '' }: NonResourceAttributes): object {
  return { Path: path, Verb: verb }
}

/** Accepts unknown operators, which newer clients may send. */
export function validateSelectors(attributes: ResourceAttributes | undefined): readonly field.FieldError[] {
  const { fieldSelector, labelSelector } = attributes ?? {}
  const path = specPath.child('resourceAttributes')
  return [
    ...(fieldSelector
      ? validateSelector(fieldSelector, path.child('fieldSelector'), validateFieldRequirement)
      : field.none),
    ...(labelSelector
      ? validateSelector(labelSelector, path.child('labelSelector'), (requirement, at) =>
          validateLabelRequirement(requirement, at, { anyOperator: true }),
        )
      : field.none),
  ]
}

function validateSelector<Requirement>(
  { rawSelector = '', requirements = [] }: { rawSelector?: string; requirements?: readonly Requirement[] },
  path: FieldPath,
  check: (requirement: Requirement, path: FieldPath) => readonly field.FieldError[],
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (rawSelector !== '' && requirements.length > 0)
    errors.push(
      field.invalid(path.child('rawSelector'), rawSelector, 'may not specified at the same time as requirements'),
    )
  if (rawSelector === '' && requirements.length === 0)
    errors.push(
      field.required(path.child('requirements'), `when ${path} is specified, requirements or rawSelector is required`),
    )
  const listPath = path.child('requirements')
  return [...errors, ...requirements.flatMap((requirement, i) => check(requirement, listPath.index(i)))]
}

function validateFieldRequirement(
  { key, operator, values = [] }: FieldSelectorRequirement,
  path: FieldPath,
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (key === '') errors.push(field.required(path.child('key'), 'must be specified'))
  const valuesPath = path.child('values')
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    errors.push(field.required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'"))
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    errors.push(field.forbidden(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
  return errors
}

/** Reviews have no names or labels. `allowed` are the fields that one may have. */
export function validateNoMetadata(
  metadata: ObjectMeta,
  detail: string,
  allowed: readonly string[] = [],
): readonly field.FieldError[] {
  const ignored = ['managedFields', ...allowed]
  const given = Object.entries(metadata).some(
    ([name, value]) => !ignored.includes(name) && value !== undefined && value !== null,
  )
  return given ? [field.invalid(fieldPath('metadata'), metadata, detail)] : field.none
}
