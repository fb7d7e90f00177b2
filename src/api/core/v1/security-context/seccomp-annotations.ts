import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateDescendingPath } from '../../../validation/paths.js'
import { visitContainers } from '../pod/containers.js'
import type { PodSpec } from '../pod/spec.js'
import type { SeccompProfile } from '../security-context.js'
import { disagreement, hasKeyUnder, localhostPrefix, runtimeDefault, unconfined } from './profile-agreement.js'

/** Annotations without effect, which must still be well-formed and agree with the field that replaced them. */
export const seccompPodKey = 'seccomp.security.alpha.kubernetes.io/pod'
export const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/'

type Annotations = Readonly<Record<string, string>>

const dockerDefault = 'docker/default'

export function validateSeccompAnnotations(annotations: Annotations, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = []
  const ofPod = annotations[seccompPodKey]
  if (ofPod !== undefined) errors.push(...validateProfile(ofPod, path.child(seccompPodKey)))
  for (const key in annotations)
    if (key.startsWith(seccompContainerPrefix)) errors.push(...validateProfile(annotations[key]!, path.child(key)))
  return errors
}

function validateProfile(profile: string, path: FieldPath): readonly FieldError[] {
  if (profile === runtimeDefault || profile === dockerDefault || profile === unconfined) return field.none
  if (profile.startsWith(localhostPrefix)) return validateDescendingPath(profile.slice(localhostPrefix.length), path)
  return [field.invalid(path, profile, 'must be a valid seccomp profile')]
}

export function validateSeccompAgreement(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = []
  const compare = (profile: SeccompProfile | undefined, key: string, at: FieldPath) => {
    if (!profile || annotations[key] === undefined) return
    const annotation = annotations[key] === dockerDefault ? runtimeDefault : annotations[key]!
    const where = at.child('securityContext', 'seccompProfile')
    errors.push(...disagreement(annotation, profile, { path: where, word: 'seccomp' }))
  }
  compare(spec.securityContext?.seccompProfile, seccompPodKey, path)
  if (!hasKeyUnder(annotations, seccompContainerPrefix)) return errors
  visitContainers(spec, path, ({ name, securityContext }, at) =>
    compare(securityContext?.seccompProfile, seccompContainerPrefix + name, at),
  )
  return errors
}
