import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { labelKey } from '../../schema/label-names.js'

/** The maximum size of all keys and values together, in bytes. */
export const maximumAnnotations = 256 * 1024

/** Validates annotations. Keys have the form of label keys, ignoring case; values may be any text. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  let size = 0
  for (const key in annotations) {
    errors.push(...field.invalidForEach(path, key, labelKey(key.toLowerCase())))
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]!)
  }
  if (size > maximumAnnotations) errors.push(field.tooLong(path, maximumAnnotations))
  return errors
}
