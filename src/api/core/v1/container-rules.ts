import type { FieldError } from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import type { Container } from './container.js'
import type { EphemeralContainer } from './ephemeral-container.js'
import type { PodPartContext } from './pod-rules-context.js'

/** What is wrong with the ordinary containers of a pod. */
export function validateContainers(
  _containers: readonly Container[],
  _path: FieldPath,
  _context: PodPartContext,
): readonly FieldError[] {
  return []
}

/** What is wrong with its init containers, sidecars among them. */
export function validateInitContainers(
  _containers: readonly Container[],
  _path: FieldPath,
  _context: PodPartContext,
): readonly FieldError[] {
  return []
}

/** What is wrong with the containers that were added for debugging. */
export function validateEphemeralContainers(
  _containers: readonly EphemeralContainer[],
  _path: FieldPath,
  _context: PodPartContext,
): readonly FieldError[] {
  return []
}
