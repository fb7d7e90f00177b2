import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { labelKey, labelValue } from '../../schema/label-names.js'
import type { LabelSelector, LabelSelectorRequirement } from '../meta/v1/label-selector.js'
import { validateLabels } from '../metadata/labels.js'

/** Validations to skip, because the old object is invalid under them. */
export interface SelectorLeniency {
  readonly anyValue?: boolean
  readonly anyOperator?: boolean
}

/** Validates a selector in an object. */
export function validateLabelSelector(
  selector: LabelSelector | undefined | null,
  path: FieldPath,
  leniency: SelectorLeniency = {},
): readonly field.FieldError[] {
  if (!selector) return []
  const expressions = path.child('matchExpressions')
  return [
    ...validateLabels(selector.matchLabels, path.child('matchLabels')),
    ...(selector.matchExpressions ?? []).flatMap((expression, i) =>
      validateLabelRequirement(expression, expressions.index(i), leniency),
    ),
  ]
}

/** Validates one requirement of a list. */
export function validateLabelRequirement(
  expression: LabelSelectorRequirement,
  path: FieldPath,
  leniency: SelectorLeniency,
): readonly field.FieldError[] {
  const { key, values = [] } = expression
  const valuesPath = path.child('values')
  return [
    ...operatorErrors(expression, path, leniency),
    ...field.invalidForEach(path.child('key'), key, labelKey(key)),
    ...(leniency.anyValue
      ? []
      : values.flatMap((value, i) => field.invalidForEach(valuesPath.index(i), value, labelValue(value)))),
  ]
}

function operatorErrors(
  { operator, values = [] }: LabelSelectorRequirement,
  path: FieldPath,
  { anyOperator }: SelectorLeniency,
): readonly field.FieldError[] {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length > 0) return []
    return [field.required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")]
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length === 0) return []
    return [field.forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  }
  return anyOperator ? [] : [field.invalid(path.child('operator'), operator, 'not a valid selector operator')]
}
