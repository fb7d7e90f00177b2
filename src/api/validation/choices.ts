import type { FieldError } from '../../schema/field-errors.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'

/** Validates a required value with a fixed set of supported values. The message lists them in the given order. */
export function validateChoice(
  value: string | undefined,
  path: FieldPath,
  supported: readonly string[],
): readonly FieldError[] {
  if (!value) return [field.required(path)]
  return supported.includes(value) ? field.none : [field.notSupported(path, value, supported)]
}

/** Validates an optional value with a fixed set of supported values. An empty value is invalid. */
export function validateOptionalChoice(
  value: string | undefined,
  path: FieldPath,
  supported: readonly string[],
): readonly FieldError[] {
  if (value === undefined || supported.includes(value)) return field.none
  return [field.notSupported(path, value, supported)]
}
