import type { FieldError } from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import type { PodRulesContext } from './pod-rules-context.js'
import type { PodSpec } from './pod-spec.js'
import type { Volume } from './volume.js'

export interface CheckedVolumes {
  readonly errors: readonly FieldError[]
  /** Those that have good names, by name. */
  readonly volumes: ReadonlyMap<string, Volume>
}

/** What is wrong with the volumes of a pod. */
export function validateVolumes(_spec: PodSpec, _path: FieldPath, _context: PodRulesContext): CheckedVolumes {
  return { errors: [], volumes: new Map() }
}
