import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'

const path = fieldPath('status', 'conditions')

/** Validates the conditions of a flow schema or priority level: types are required and distinct. */
export function validateFlowConditions(
  conditions: readonly { readonly type?: string }[] | undefined,
): readonly field.FieldError[] {
  const types = (conditions ?? []).map(({ type = '' }) => type)
  return types.flatMap((type, i) => [
    ...(types.indexOf(type) < i ? [field.duplicate(path.index(i).child('type'), type)] : []),
    ...(type === '' ? [field.required(path.index(i).child('type'), 'must not be empty')] : []),
  ])
}
