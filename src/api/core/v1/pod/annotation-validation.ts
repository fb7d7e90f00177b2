import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import {
  appArmorPrefix,
  validateAppArmorAgreement,
  validateAppArmorAnnotations,
} from '../security-context/app-armor-annotations.js'
import { validateSeccompAgreement, validateSeccompAnnotations } from '../security-context/seccomp-annotations.js'
import type { PodSpec } from './spec.js'

type Annotations = Readonly<Record<string, string>>

/** Marks a mirror pod: the API object of a static pod. */
export const mirrorKey = 'kubernetes.io/config.mirror'
const deletionCostKey = 'controller.kubernetes.io/pod-deletion-cost'

/** Validates the annotations that Kubernetes interprets on pods; `path` is their path, `old` the annotations that they replace. */
export function validatePodAnnotations(
  annotations: Annotations | undefined,
  spec: PodSpec,
  { path, old }: { readonly path: FieldPath; readonly old?: Annotations | undefined },
): readonly FieldError[] {
  if (!annotations) return field.none
  const errors: FieldError[] = []
  const mirror = annotations[mirrorKey]
  if (mirror !== undefined && !spec.nodeName) {
    const why = 'must set spec.nodeName if mirror pod annotation is set'
    errors.push(field.invalid(path.key(mirrorKey), mirror, why))
  }
  const cost = annotations[deletionCostKey]
  if (!isCost(cost) && isCost(old?.[deletionCostKey]))
    errors.push(field.invalid(path.key(deletionCostKey), cost, 'must be a 32bit integer'))
  errors.push(...validateSeccompAnnotations(annotations, path))
  errors.push(...validateAppArmorAnnotations(annotations, spec, path))
  return errors
}

/** Rejects a plus sign and leading zeros. */
function isCost(text: string | undefined): boolean {
  if (text === undefined) return true
  return /^(0|-[0-9]+|[1-9][0-9]*)$/.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31
}

/** Rejects annotations that contradict the fields that replaced them. */
export function validateAnnotationAgreement(
  annotations: Annotations | undefined,
  spec: PodSpec,
  path: FieldPath,
): readonly FieldError[] {
  if (!annotations) return field.none
  return [...validateSeccompAgreement(annotations, spec, path), ...validateAppArmorAgreement(annotations, spec, path)]
}

/** Rejects changes of immutable annotations. */
export function validatePodAnnotationUpdate(
  annotations: Annotations = {},
  old: Annotations = {},
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = []
  const report = (key: string, verb: string) => {
    if (key.startsWith(appArmorPrefix))
      errors.push(field.forbidden(path.key(key), `may not ${verb} AppArmor annotations`))
    if (key === mirrorKey) errors.push(field.forbidden(path.key(key), `may not ${verb} mirror pod annotation`))
  }
  for (const key in old) if (annotations[key] !== old[key]) report(key, 'remove or update')
  for (const key in annotations) if (!Object.hasOwn(old, key)) report(key, 'add')
  return errors
}
