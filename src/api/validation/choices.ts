import type { FieldError } from '../../schema/field-errors.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'

/** A value that must be there, and be one of those that are supported; they are shown in the order given. */
export function validateChoice(
  value: string | undefined,
  path: FieldPath,
  supported: readonly string[],
): readonly FieldError[] {
  if (!value) return [field.required(path)]
  return supported.includes(value) ? field.none : [field.notSupported(path, value, supported)]
}

/** The same for a value that may be absent; an empty one is not. */
export function validateOptionalChoice(
  value: string | undefined,
  path: FieldPath,
  supported: readonly string[],
): readonly FieldError[] {
  if (value === undefined || supported.includes(value)) return field.none
  return [field.notSupported(path, value, supported)]
}
