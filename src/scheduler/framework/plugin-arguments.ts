/** What the argument types of plugins have in common. They are types of `kubescheduler.config.k8s.io/v1`. */
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { string } from '../../schema/fields.js'

export const configurationVersion = 'kubescheduler.config.k8s.io/v1'

/** Arguments may carry their own kind. */
export const typeMetaFields = { apiVersion: string(0), kind: string(0) }

/** An error unless `min <= value <= max`. */
export function validateRange(
  path: FieldPath,
  value: number,
  [min, max]: readonly [number, number],
): readonly field.FieldError[] {
  if (value >= min && value <= max) return field.none
  const end = max === Number.POSITIVE_INFINITY ? 'inf)' : `${max}]`
  return [field.invalid(path, value, `not in valid range [${min}, ${end}`)]
}
