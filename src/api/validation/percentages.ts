/** Validates numbers that can also be percentages, such as `maxUnavailable` and `maxSurge`. */
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { percent } from '../../schema/identifiers.js'
import { type IntOrString, integerOf, percentage } from '../../schema/values/int-or-string.js'
import { validateNotNegative } from './numbers.js'

/** Validates a number or percentage that is not negative. */
export function validateIntOrPercent(value: IntOrString, path: FieldPath): readonly field.FieldError[] {
  return typeof value === 'number'
    ? validateNotNegative(value, path)
    : field.invalidForEach(path, value, percent(value))
}

/** Rejects a percentage above 100 %. Numbers have no such limit. */
export function validateAtMostWhole(value: IntOrString, path: FieldPath): readonly field.FieldError[] {
  return (percentage(value) ?? 0) > 100 ? [field.invalid(path, value, 'must not be greater than 100%')] : field.none
}

/** Whether the value is zero: `0`, `"0%"`, or a text that is not a number. */
export function isNothing(value: IntOrString): boolean {
  return (percentage(value) ?? integerOf(value)) === 0
}
