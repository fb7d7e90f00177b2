/** The context for the validation of security contexts of containers and pods. */

import type { JsonValue } from '../../../../schema/declaration.js'
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { userOrGroupId } from '../../../../schema/identifiers.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { validateDescendingPath } from '../../../validation/paths.js'
import type { PodSpec } from '../pod/spec.js'
import type { PodRulesContext } from '../pod/validation-context.js'
import type { AppArmorProfile, PodSecurityContext, SeccompProfile, SecurityContext } from '../security-context.js'
import { validateSysctls } from './sysctl-validation.js'
import { validateWindowsOptions } from './windows-options-validation.js'

export interface SecurityRulesContext extends Pick<PodRulesContext, 'allowPrivileged'> {
  /** Whether the pod uses the user namespace of the host. */
  readonly hostUsers: boolean
}

/** Validates the security context of a container. */
export function validateSecurityContext(
  security: SecurityContext | undefined,
  path: FieldPath,
  { allowPrivileged, hostUsers }: SecurityRulesContext,
): readonly FieldError[] {
  if (!security) return field.none
  const isForbidden = security.privileged && !allowPrivileged
  return [
    ...(isForbidden ? [field.forbidden(path.child('privileged'), 'disallowed by cluster policy')] : field.none),
    ...validateId(security.runAsUser, path.child('runAsUser')),
    ...validateId(security.runAsGroup, path.child('runAsGroup')),
    ...validateProcMount(security.procMount, path.child('procMount'), hostUsers),
    ...validateSeccompProfile(security.seccompProfile, path.child('seccompProfile')),
    ...validateEscalation(security, path),
    ...validateWindowsOptions(security.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(security.appArmorProfile, path.child('appArmorProfile')),
  ]
}

function validateId(id: number | undefined, path: FieldPath): readonly FieldError[] {
  return id === undefined ? field.none : field.invalidForEach(path, id, userOrGroupId(id))
}

const procMounts = ['Default', 'Unmasked'] as const

function validateProcMount(mount: string | undefined, path: FieldPath, hostUsers: boolean): readonly FieldError[] {
  const errors = validateOptionalChoice(mount, path, procMounts)
  if (mount !== 'Unmasked' || !hostUsers) return errors
  return [field.invalid(path, mount, '`hostUsers` must be false to use `Unmasked`')]
}

/** Rejects `allowPrivilegeEscalation: false` for privileged containers and those with `CAP_SYS_ADMIN`. */
function validateEscalation(security: SecurityContext, path: FieldPath): readonly FieldError[] {
  if (security.allowPrivilegeEscalation !== false) return field.none
  const messages: string[] = []
  if (security.privileged) messages.push('cannot set `allowPrivilegeEscalation` to false and `privileged` to true')
  for (const capability of security.capabilities?.add ?? [])
    if (capability === 'CAP_SYS_ADMIN')
      messages.push('cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN')
  return messages.length === 0 ? field.none : field.invalidForEach(path, shownSecurityContext(security), messages)
}

const changePolicies = ['Always', 'OnRootMismatch'] as const
const groupsPolicies = ['Merge', 'Strict'] as const

/** Validates the security context of a pod; `specPath` is the path of the spec, which has some of its fields. */
export function validatePodSecurityContext(
  spec: PodSpec,
  specPath: FieldPath,
  { old }: Pick<PodRulesContext, 'old'>,
): readonly FieldError[] {
  const { securityContext: security, hostPID, shareProcessNamespace } = spec
  if (!security) return field.none
  const path = specPath.child('securityContext')
  return [
    ...validateId(security.fsGroup, path.child('fsGroup')),
    ...validateId(security.runAsUser, path.child('runAsUser')),
    ...validateId(security.runAsGroup, path.child('runAsGroup')),
    ...validateGroups(security, path.child('supplementalGroups')),
    ...(hostPID && shareProcessNamespace ? [field.invalid(path.child('shareProcessNamespace'), true, shared)] : []),
    ...validateSysctls(spec, path.child('sysctls'), old),
    ...validateOptionalChoice(security.fsGroupChangePolicy, path.child('fsGroupChangePolicy'), changePolicies),
    ...validateSeccompProfile(security.seccompProfile, path.child('seccompProfile')),
    ...validateWindowsOptions(security.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(security.appArmorProfile, path.child('appArmorProfile')),
    ...validateOptionalChoice(
      security.supplementalGroupsPolicy,
      path.child('supplementalGroupsPolicy'),
      groupsPolicies,
    ),
    ...validateOptionalChoice(security.seLinuxChangePolicy, path.child('seLinuxChangePolicy'), labelPolicies(old)),
  ]
}

const shared = 'ShareProcessNamespace and HostPID cannot both be enabled'

function validateGroups({ supplementalGroups }: PodSecurityContext, path: FieldPath): readonly FieldError[] {
  return supplementalGroups?.flatMap((group, i) => validateId(group, path.index(i))) ?? field.none
}

/** `MountOption` is disabled in v1.36, unless the old pod has a policy. */
function labelPolicies(old: PodSpec | undefined): readonly string[] {
  return old?.securityContext?.seLinuxChangePolicy === undefined ? ['Recursive'] : ['MountOption', 'Recursive']
}

/** A security context in the form of upstream's messages: every field in this order, with internal names. */
export function shownSecurityContext(security: SecurityContext): JsonValue {
  return {
    Capabilities: shown(security.capabilities, ({ add = null, drop = null }) => ({ Add: add, Drop: drop })),
    Privileged: security.privileged ?? null,
    SELinuxOptions: shown(security.seLinuxOptions, ({ user = '', role = '', type = '', level = '' }) => ({
      User: user,
      Role: role,
      Type: type,
      Level: level,
    })),
    WindowsOptions: shown(security.windowsOptions, (options) => ({
      GMSACredentialSpecName: options.gmsaCredentialSpecName ?? null,
      GMSACredentialSpec: options.gmsaCredentialSpec ?? null,
      RunAsUserName: options.runAsUserName ?? null,
      HostProcess: options.hostProcess ?? null,
    })),
    RunAsUser: security.runAsUser ?? null,
    RunAsGroup: security.runAsGroup ?? null,
    RunAsNonRoot: security.runAsNonRoot ?? null,
    ReadOnlyRootFilesystem: security.readOnlyRootFilesystem ?? null,
    AllowPrivilegeEscalation: security.allowPrivilegeEscalation ?? null,
    ProcMount: security.procMount ?? null,
    SeccompProfile: shown(security.seccompProfile, shownProfile),
    AppArmorProfile: shown(security.appArmorProfile, shownProfile),
  }
}

function shown<T>(part: T | undefined, show: (part: T) => JsonValue): JsonValue {
  return part === undefined ? null : show(part)
}

function shownProfile({ type, localhostProfile }: { readonly type: string; readonly localhostProfile?: string }) {
  return { Type: type, LocalhostProfile: localhostProfile ?? null }
}

/** The types of seccomp and AppArmor profiles. */

const types = ['Localhost', 'RuntimeDefault', 'Unconfined'] as const

/** Validates a seccomp profile. */
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

/** Validates an AppArmor profile. */
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
