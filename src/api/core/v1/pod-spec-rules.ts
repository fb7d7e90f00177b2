import type { FieldError } from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import type { PodRulesContext } from './pod-rules-context.js'
import type { PodSpec } from './pod-spec.js'

/** What is wrong with what a pod should be. */
export function validatePodSpec(_spec: PodSpec, _path: FieldPath, _context: PodRulesContext): readonly FieldError[] {
  return []
}
