import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { conditionReason } from '../../schema/identifiers.js'
import { labelKey } from '../../schema/label-names.js'
import type { Condition } from '../meta/v1/condition.js'

const statuses: readonly string[] = ['False', 'True', 'Unknown']
const maximumReason = 1024
const maximumMessage = 32 * 1024

/** Validates the conditions of an object that have the type `meta/v1.Condition`. */
export function validateConditions(
  conditions: readonly Condition[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!conditions) return field.none
  const seen = new Set<string>()
  return conditions.flatMap((condition, i) => {
    const isRepeated = seen.has(condition.type)
    seen.add(condition.type)
    const errors = validateCondition(condition, path.index(i))
    return isRepeated ? [field.duplicate(path.index(i).child('type'), condition.type), ...errors] : errors
  })
}

export function validateCondition(condition: Condition, path: FieldPath): readonly field.FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition
  const errors: field.FieldError[] = [...field.invalidForEach(path.child('type'), type, labelKey(type))]
  if (!statuses.includes(status)) errors.push(field.notSupported(path.child('status'), status, statuses))
  if (observedGeneration < 0) {
    const why = 'must be greater than or equal to zero'
    errors.push(field.invalid(path.child('observedGeneration'), observedGeneration, why))
  }
  if (!lastTransitionTime) errors.push(field.required(path.child('lastTransitionTime'), 'must be set'))
  errors.push(...validateReason(reason, path.child('reason')))
  if (Buffer.byteLength(message) > maximumMessage) errors.push(field.tooLong(path.child('message'), maximumMessage))
  return errors
}

function validateReason(reason: string, path: FieldPath): readonly field.FieldError[] {
  if (reason === '') return [field.required(path, 'must be set')]
  return [
    ...field.invalidForEach(path, reason, conditionReason(reason)),
    ...(Buffer.byteLength(reason) > maximumReason ? [field.tooLong(path, maximumReason)] : []),
  ]
}
