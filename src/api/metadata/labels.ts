import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { labelKey, labelValue } from '../../schema/label-names.js'

/** Validates labels. Errors have the path of the whole map, because keys cannot be part of a path. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const key in labels) {
    const value = labels[key]!
    errors.push(
      ...field.invalidForEach(path, key, labelKey(key)),
      ...field.invalidForEach(path, value, labelValue(value)),
    )
  }
  return errors
}
