import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { quote } from '../../../../schema/quote.js'
import { visitContainers } from '../pod/containers.js'
import type { PodSpec } from '../pod/spec.js'
import type { AppArmorProfile } from '../security-context.js'
import { disagreement, hasKeyUnder, localhostPrefix, runtimeDefault, unconfined } from './profile-agreement.js'

/**
 * The annotations that preceded the field for AppArmor profiles, one for each container. They are still read when a pod is created, and
 * must agree with the field.
 */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

type Annotations = Readonly<Record<string, string>>

/** The profile in an annotation; undefined if it is malformed. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === runtimeDefault) return { type: 'RuntimeDefault' }
  if (annotation === unconfined) return { type: 'Unconfined' }
  const profile = annotation.startsWith(localhostPrefix) ? annotation.slice(localhostPrefix.length) : ''
  return profile !== '' && profile === profile.trim() ? { type: 'Localhost', localhostProfile: profile } : undefined
}

export function validateAppArmorAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = []
  for (const key in annotations) {
    if (!key.startsWith(appArmorPrefix)) continue
    const name = key.slice(appArmorPrefix.length)
    const value = annotations[key]!
    if (!hasContainer(spec, name)) errors.push(field.invalid(path.key(key), name, 'container not found'))
    if (!isProfile(value))
      errors.push(field.invalid(path.key(key), value, `invalid AppArmor profile name: ${quote(value)}`))
  }
  return errors
}

function isProfile(value: string): boolean {
  return value === '' || value === runtimeDefault || value === unconfined || value.startsWith(localhostPrefix)
}

function hasContainer({ containers, initContainers = [], ephemeralContainers = [] }: PodSpec, name: string): boolean {
  return [containers, initContainers, ephemeralContainers].some((list) => list?.some((one) => one.name === name))
}

/** Annotation and field must agree if both are set. Not for Windows, which has no AppArmor. */
export function validateAppArmorAgreement(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): readonly FieldError[] {
  if (spec.os?.name === 'windows' || !hasKeyUnder(annotations, appArmorPrefix)) return field.none
  const errors: FieldError[] = []
  visitContainers(spec, path, ({ name, securityContext }, at) => {
    const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile
    const annotation = annotations[appArmorPrefix + name]
    if (profile && annotation !== undefined)
      errors.push(
        ...disagreement(annotation, profile, {
          path: at.child('securityContext', 'appArmorProfile'),
          word: 'apparmor',
        }),
      )
  })
  return errors
}
