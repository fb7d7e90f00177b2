import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'

/** How annotations once named the profiles of AppArmor and seccomp. */
export const unconfined = 'unconfined'
export const runtimeDefault = 'runtime/default'
export const localhostPrefix = 'localhost/'

/**
 * Whether some annotation says something of a container, whose name is the rest of its key. Nearly no pod has one: asked first, no
 * keys are made for its containers.
 */
export function hasKeyUnder(annotations: Readonly<Record<string, string>> | undefined, prefix: string): boolean {
  for (const key in annotations) if (key.startsWith(prefix)) return true
  return false
}

interface Profile {
  readonly type: string
  readonly localhostProfile?: string | undefined
}

/** What is wrong with a profile whose annotation says something else; `word` is what the system calls itself. */
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

/** A type that is none is told elsewhere. */
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
