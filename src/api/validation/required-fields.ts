import type { FieldError } from '../../schema/field-errors.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'

/** Validates `object` at `path` and adds its errors to `errors`. */
export type FieldCheck<T> = (object: T, path: FieldPath, errors: FieldError[]) => void

/** Adds an error for each of these fields that is absent or empty, in the given order. */
export function checkRequired<T>(
  object: T,
  names: readonly (keyof T & string)[],
  path: FieldPath,
  errors: FieldError[],
): void {
  for (const name of names) if (isMissing(object[name])) errors.push(field.required(path.child(name)))
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Returns a check that only requires these fields. */
export function requires<T>(...names: readonly (keyof T & string)[]): FieldCheck<T> {
  return (object, path, errors) => checkRequired(object, names, path, errors)
}
