import type { FieldError } from '../../schema/field-errors.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'

/** Adds what is wrong with `object`, which stands at `path`, to `errors`. */
export type FieldCheck<T> = (object: T, path: FieldPath, errors: FieldError[]) => void

/** Each of these fields must have something in it; told in the order given. */
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

/** The check that these fields have something in them, and no other. */
export function requires<T>(...names: readonly (keyof T & string)[]): FieldCheck<T> {
  return (object, path, errors) => checkRequired(object, names, path, errors)
}
