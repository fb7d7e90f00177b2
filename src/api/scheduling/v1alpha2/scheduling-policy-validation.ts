import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import type { PodGroupSchedulingPolicy } from './scheduling-policy.js'

/** Validates a scheduling policy: basic (one by one) or gang (all or none). */
export function validateSchedulingPolicy(
  policy: PodGroupSchedulingPolicy,
  path: FieldPath,
): readonly field.FieldError[] {
  const { basic, gang } = policy
  if (!basic && !gang) return [field.invalid(path, '', 'must specify one of: `basic`, `gang`')]
  if (basic && gang)
    return [
      field.invalid(
        path,
        '{`basic`, `gang`}',
        'exactly one of `basic`, `gang` is required, but multiple fields are set',
      ),
    ]
  const minCount = gang?.minCount ?? 1
  if (minCount > 0) return field.none
  const at = path.child('gang', 'minCount')
  return [minCount === 0 ? field.required(at) : field.invalid(at, minCount, 'must be greater than zero')]
}
