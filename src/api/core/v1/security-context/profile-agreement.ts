import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'

/** Values of the deprecated annotations for AppArmor and seccomp profiles. */
export const unconfined = 'unconfined'
export const runtimeDefault = 'runtime/default'
export const localhostPrefix = 'localhost/'

/**
 * Whether there is an annotation with this prefix; the rest of its key is the name of a container. A fast check: nearly no pod has one, so
 * no keys are built for its containers.
 */
export function hasKeyUnder(annotations: Readonly<Record<string, string>> | undefined, prefix: string): boolean {
  for (const key in annotations) if (key.startsWith(prefix)) return true
  return false
}

interface Profile {
  readonly type: string
  readonly localhostProfile?: string | undefined
}

/** The error for a profile that contradicts its annotation. `word` is the name of the security system in the message. */
export function disagreement(
  annotation: string,
  profile: Profile,
  { path, word }: { readonly path: FieldPath; readonly word: string },
): readonly FieldError[] {
  if (!isSameType(annotation, profile.type))
    return [field.forbidden(path.child('type'), `${word} type in annotation and field must match`)]
  const isSameProfile = annotation === localhostPrefix + profile.localhostProfile
  if (profile.type !== 'Localhost' || isSameProfile) return field.none
  return [field.forbidden(path.child('localhostProfile'), `${word} profile in annotation and field must match`)]
}

/** An unknown type counts as equal, because it is reported elsewhere. */
function isSameType(annotation: string, type: string): boolean {
  switch (type) {
    case 'Unconfined':
      return annotation === unconfined
    case 'RuntimeDefault':
      return annotation === runtimeDefault
    case 'Localhost':
      return annotation.startsWith(localhostPrefix)
    default:
      return true
  }
}
