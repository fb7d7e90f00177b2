import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { validatePathSegment } from '../../validation/paths.js'
import type { CrossVersionObjectReference } from './horizontal-pod-autoscaler.js'

/** How strictly the version of a reference is validated. */
export interface ReferenceLeniency {
  /** Accepts the core group, which has no name. */
  readonly coreGroup: boolean
  /** Accepts any version, because the old object has it. */
  readonly anyVersion: boolean
}

export function validateObjectReference(
  reference: CrossVersionObjectReference,
  path: FieldPath,
  leniency: ReferenceLeniency,
): readonly field.FieldError[] {
  const { apiVersion = '' } = reference
  const problem = leniency.anyVersion ? undefined : versionProblem(apiVersion, leniency.coreGroup)
  return [
    ...(['kind', 'name'] as const).flatMap((name) => validatePathSegment(reference[name], path.child(name))),
    ...(problem ? [field.invalid(path.child('apiVersion'), apiVersion, problem)] : []),
  ]
}

/** The problem of an `apiVersion` such as `apps/v1`, if any. */
export function versionProblem(apiVersion: string, coreGroup: boolean): string | undefined {
  const parts = apiVersion.split('/')
  if (apiVersion !== '/' && parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  const group = parts.length === 2 ? parts[0] : ''
  return group || coreGroup ? undefined : 'apiVersion must specify API group'
}
