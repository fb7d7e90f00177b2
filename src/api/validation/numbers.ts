import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { notNegative } from '../../schema/identifiers.js'

/** Rejects a negative number. An absent number is valid. */
export function validateNotNegative(value: number | null | undefined, path: FieldPath): readonly field.FieldError[] {
  return typeof value === 'number' && value < 0 ? [field.invalid(path, value, notNegative)] : field.none
}

/** Rejects negative numbers of one object, in the order of `names`. */
export function validateNoneNegative<Name extends string>(
  object: { readonly [N in Name]?: number | null },
  names: readonly Name[],
  path: FieldPath,
): readonly field.FieldError[] {
  if (!names.some((name) => (object[name] ?? 0) < 0)) return field.none
  return names.flatMap((name) => validateNotNegative(object[name], path.child(name)))
}
