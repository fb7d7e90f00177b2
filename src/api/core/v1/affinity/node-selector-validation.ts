import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey, labelValue } from '../../../../schema/label-names.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.js'

export interface NodeSelectorLeniency {
  /** Accepts values that no label can have, because the old object has some. */
  readonly anyValue?: boolean
}

/** Validates a node selector of a pod's affinity or of a volume. */
export function validateNodeSelector(
  selector: NodeSelector,
  path: FieldPath,
  leniency: NodeSelectorLeniency = {},
): readonly field.FieldError[] {
  const terms = path.child('nodeSelectorTerms')
  if (!selector.nodeSelectorTerms?.length) return [field.required(terms, 'must have at least one node selector term')]
  return selector.nodeSelectorTerms.flatMap((term, i) => validateNodeSelectorTerm(term, terms.index(i), leniency))
}

export function validateNodeSelectorTerm(
  term: NodeSelectorTerm,
  path: FieldPath,
  leniency: NodeSelectorLeniency = {},
): readonly field.FieldError[] {
  const expressions = path.child('matchExpressions')
  const fields = path.child('matchFields')
  return [
    ...(term.matchExpressions ?? []).flatMap((one, i) => validateLabelRequirement(one, expressions.index(i), leniency)),
    ...(term.matchFields ?? []).flatMap((one, i) => validateFieldRequirement(one, fields.index(i))),
  ]
}

function validateLabelRequirement(
  requirement: NodeSelectorRequirement,
  path: FieldPath,
  { anyValue }: NodeSelectorLeniency,
): readonly field.FieldError[] {
  const { key, values = [] } = requirement
  const errors = [...operatorErrors(requirement, path), ...field.invalidForEach(path.child('key'), key, labelKey(key))]
  if (anyValue) return errors
  for (const [i, value] of values.entries())
    errors.push(...field.invalidForEach(path.child('values').index(i), value, labelValue(value)))
  return errors
}

function operatorErrors(
  { operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): readonly field.FieldError[] {
  const at = path.child('values')
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? field.none
        : [field.required(at, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? field.none
        : [field.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? field.none
        : [field.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [unknownOperator(operator, path)]
  }
}

function unknownOperator(operator: string, path: FieldPath): field.FieldError {
  return field.invalid(path.child('operator'), operator, 'not a valid selector operator')
}

/** `metadata.name` is the only supported field. */
function validateFieldRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): readonly field.FieldError[] {
  const at = path.child('values')
  const errors: field.FieldError[] = []
  if (operator !== 'In' && operator !== 'NotIn') errors.push(unknownOperator(operator, path))
  else if (values.length !== 1)
    errors.push(field.required(at, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
  if (key !== 'metadata.name') {
    errors.push(field.invalid(path.child('key'), key, 'not a valid field selector key'))
    return errors
  }
  for (const [i, value] of values.entries())
    errors.push(...field.invalidForEach(at.index(i), value, dnsSubdomain(value)))
  return errors
}
