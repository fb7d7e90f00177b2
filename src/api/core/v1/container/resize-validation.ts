/** Validates the resize policy of a container. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateChoice } from '../../../validation/choices.js'
import type { ContainerResizePolicy } from '../container.js'

const resources = ['cpu', 'memory'] as const
const policies = ['NotRequired', 'RestartContainer'] as const

/** Nearly all errors have the path of the whole list. `podPolicy` is the restart policy of the pod. */
export function validateResizePolicy(
  list: readonly ContainerResizePolicy[] | undefined,
  path: FieldPath,
  podPolicy: string | undefined,
): readonly FieldError[] {
  if (!list) return field.none
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [i, { resourceName, restartPolicy }] of list.entries()) {
    if (seen.has(resourceName)) errors.push(field.duplicate(path.index(i), resourceName))
    seen.add(resourceName)
    errors.push(...validateChoice(resourceName, path, resources), ...validateChoice(restartPolicy, path, policies))
    if (podPolicy === 'Never' && restartPolicy !== 'NotRequired')
      errors.push(field.invalid(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
  }
  return errors
}

/** Rejects a resize policy of init containers that are not sidecars. `path` is that of the list. */
export function validateInitResizePolicy(
  list: readonly ContainerResizePolicy[] | undefined,
  path: FieldPath,
): readonly FieldError[] {
  const message = "must not be set to 'RestartContainer' for non-sidecar initContainers"
  return (list ?? []).flatMap(({ restartPolicy }, i) =>
    restartPolicy === 'RestartContainer'
      ? [field.invalid(path.index(i).child('restartPolicy'), restartPolicy, message)]
      : [],
  )
}
