/** Numbers that may also be given as a percentage: how many pods may be missing, how many too many there may be. */
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { percent } from '../../schema/identifiers.js'
import { type IntOrString, integerOf, percentage } from '../../schema/values/int-or-string.js'
import { validateNotNegative } from './numbers.js'

/** What is wrong with a number or percentage, which is neither negative nor any other text. */
export function validateIntOrPercent(value: IntOrString, path: FieldPath): readonly field.FieldError[] {
  return typeof value === 'number'
    ? validateNotNegative(value, path)
    : field.invalidForEach(path, value, percent(value))
}

/** A percentage of more than the whole. Plain numbers have no such limit. */
export function validateAtMostWhole(value: IntOrString, path: FieldPath): readonly field.FieldError[] {
  return (percentage(value) ?? 0) > 100 ? [field.invalid(path, value, 'must not be greater than 100%')] : field.none
}

/** Whether it stands for nothing at all: `0`, `"0%"`, or a text that is no number. */
export function isNothing(value: IntOrString): boolean {
  return (percentage(value) ?? integerOf(value)) === 0
}
