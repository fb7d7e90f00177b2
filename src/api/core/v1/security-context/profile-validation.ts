/** The profiles by which the kernel confines containers: seccomp and AppArmor. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateDescendingPath } from '../../../validation/paths.js'
import type { AppArmorProfile, SeccompProfile } from '../security-context.js'

const types = ['Localhost', 'RuntimeDefault', 'Unconfined'] as const

/** What is wrong with a profile of system calls. */
export function validateSeccompProfile(profile: SeccompProfile | undefined, path: FieldPath): readonly FieldError[] {
  if (!profile) return field.none
  const { type, localhostProfile } = profile
  const wrongType = validateType(type, path.child('type'), 'seccompProfile')
  const at = path.child('localhostProfile')
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return wrongType
    const shown = { Type: type, LocalhostProfile: localhostProfile }
    return [...wrongType, field.invalid(at, shown, 'can only be set when seccomp type is Localhost')]
  }
  if (localhostProfile === undefined) return [field.required(at, 'must be set when seccomp type is Localhost')]
  return validateDescendingPath(localhostProfile, at)
}

function validateType(type: string, path: FieldPath, name: string): readonly FieldError[] {
  if (type === '') return [field.required(path, `type is required when ${name} is set`)]
  return types.some((known) => known === type) ? field.none : [field.notSupported(path, type, types)]
}

const longestProfile = 4095

/** What is wrong with a profile of AppArmor. */
export function validateAppArmorProfile(profile: AppArmorProfile | undefined, path: FieldPath): readonly FieldError[] {
  if (!profile) return field.none
  const { type, localhostProfile } = profile
  const wrongType = validateType(type, path.child('type'), 'appArmorProfile')
  if (wrongType.length > 0) return wrongType
  const at = path.child('localhostProfile')
  if (type === 'Localhost') return validateLocalProfile(localhostProfile, at)
  if (localhostProfile === undefined) return field.none
  return [field.invalid(at, localhostProfile, 'can only be set when AppArmor type is Localhost')]
}

function validateLocalProfile(name: string | undefined, path: FieldPath): readonly FieldError[] {
  if (!name) return [field.required(path, 'must be set when AppArmor type is Localhost')]
  const errors: FieldError[] = []
  if (name.trim() !== name) errors.push(field.invalid(path, name, 'must not be padded with whitespace'))
  if (Buffer.byteLength(name) > longestProfile) errors.push(field.tooLong(path, longestProfile))
  return errors
}
