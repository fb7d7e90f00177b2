/** What containers may do, as they say themselves: those of a container, and those of its pod for all of them. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { userOrGroupId } from '../../../../schema/identifiers.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import type { PodSpec } from '../pod/spec.js'
import type { PodRulesContext } from '../pod/validation-context.js'
import type { PodSecurityContext, SecurityContext } from '../security-context.js'
import { validateAppArmorProfile, validateSeccompProfile } from './profile-validation.js'
import { validateSysctls } from './sysctl-validation.js'
import { shownSecurityContext } from './text.js'
import { validateWindowsOptions } from './windows-options-validation.js'

export interface SecurityRulesContext extends Pick<PodRulesContext, 'allowPrivileged'> {
  /** Whether users in the pod are those of the host. */
  readonly hostUsers: boolean
}

/** What is wrong with the security context of a container. */
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

/** Who may do everything anyhow cannot be kept from getting more. */
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

/** What is wrong with the security context of a pod; `specPath` leads to the spec, which says some of what it is about. */
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

/** v1.36 does not take `MountOption` yet; pods that have a policy may have any. */
function labelPolicies(old: PodSpec | undefined): readonly string[] {
  return old?.securityContext?.seLinuxChangePolicy === undefined ? ['Recursive'] : ['MountOption', 'Recursive']
}
