import type { FieldError } from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import type { PodRulesContext } from './pod-rules-context.js'
import type { PodTemplateSpec } from './pod-template.js'

/** What is wrong with a template that pods are made from: labels, annotations, and all that a pod's spec must be. */
export function validatePodTemplateSpec(
  _template: PodTemplateSpec,
  _path: FieldPath,
  _context: PodRulesContext,
): readonly FieldError[] {
  return []
}

/** What is doubtful about a template, for `Warning` headers. */
export function podTemplateWarnings(
  _template: PodTemplateSpec,
  _old: PodTemplateSpec | undefined,
  _path: FieldPath,
): readonly string[] {
  return []
}
