import type { JsonValue } from '../../schema/declaration.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { sameJson } from '../../schema/json-value.js'

export const immutable = 'field is immutable'

/** Whether two decoded values are the same data. */
export function isSame(value: unknown, old: unknown): boolean {
  return sameJson(value as JsonValue | undefined, old as JsonValue | undefined)
}

/** Rejects a change of an immutable value. */
export function validateImmutable(value: unknown, old: unknown, path: FieldPath): readonly field.FieldError[] {
  return isSame(value, old) ? field.none : [field.invalid(path, value, immutable)]
}
