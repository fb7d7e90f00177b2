/** Validates the relations between the counts in the status of a workload. */
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'

/** Rejects counts that exceed the number of replicas. */
export function validatePartsOfReplicas<Name extends string>(
  status: { readonly replicas?: number } & { readonly [N in Name]?: number },
  parts: readonly Name[],
  path: FieldPath,
): readonly field.FieldError[] {
  const { replicas = 0 } = status
  return parts.flatMap((name) => {
    const count: number = status[name] ?? 0
    if (count <= replicas) return field.none
    return [field.invalid(path.child(name), count, 'cannot be greater than status.replicas')]
  })
}

interface Ready {
  readonly readyReplicas?: number
  readonly availableReplicas?: number
}

/** Available replicas may not exceed ready ones. `ready` is the name of that count in the message. */
export function validateAvailableReplicas(
  { readyReplicas = 0, availableReplicas = 0 }: Ready,
  path: FieldPath,
  ready = 'readyReplicas',
): readonly field.FieldError[] {
  if (availableReplicas <= readyReplicas) return field.none
  return [field.invalid(path.child('availableReplicas'), availableReplicas, `cannot be greater than ${ready}`)]
}

interface Colliding {
  readonly collisionCount?: number
}

/** Rejects a decrease, which would generate the same names again. */
export function validateCollisionCount(
  { collisionCount }: Colliding,
  old: Colliding,
  path: FieldPath,
): readonly field.FieldError[] {
  if (old.collisionCount === undefined || (collisionCount ?? -1) >= old.collisionCount) return field.none
  return [field.invalid(path.child('collisionCount'), collisionCount ?? 0, 'cannot be decremented')]
}
