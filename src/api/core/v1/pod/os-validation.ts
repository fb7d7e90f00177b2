import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import type { PodSecurityContext, SecurityContext } from '../security-context.js'
import { visitContainers } from './containers.js'
import type { PodSpec } from './spec.js'

/** Validates the operating system of a pod, and rejects fields that the system does not support. */
export function validateOperatingSystem(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  if (!spec.os) return field.none
  const { name } = spec.os
  if (name === '') return [field.required(path.child('os', 'name'), 'cannot be empty')]
  if (name === 'linux') return validateLinux(spec, path)
  if (name === 'windows') return validateWindows(spec, path)
  return [field.notSupported(path.child('os'), name, ['linux', 'windows'])]
}

function validateLinux(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  const check = (context: PodSecurityContext | SecurityContext | undefined, at: FieldPath) => {
    if (!context?.windowsOptions) return
    const options = at.child('securityContext', 'windowsOptions')
    errors.push(field.forbidden(options, 'windows options cannot be set for a linux pod'))
  }
  check(spec.securityContext, path)
  visitContainers(spec, path, (container, at) => check(container.securityContext, at))
  return errors
}

const windows = 'cannot be set for a windows pod'

/** In the order of the errors. Includes fields of the spec that belong to the security context. */
const podFields = [
  ['securityContext', 'appArmorProfile'],
  ['securityContext', 'seLinuxOptions'],
  ['hostUsers'],
  ['hostPID'],
  ['hostIPC'],
  ['securityContext', 'seccompProfile'],
  ['securityContext', 'fsGroup'],
  ['securityContext', 'fsGroupChangePolicy'],
  ['securityContext', 'sysctls'],
  ['shareProcessNamespace'],
  ['securityContext', 'runAsUser'],
  ['securityContext', 'runAsGroup'],
  ['securityContext', 'supplementalGroups'],
  ['securityContext', 'supplementalGroupsPolicy'],
  ['securityContext', 'seLinuxChangePolicy'],
] as const satisfies readonly (readonly [keyof PodSpec] | readonly ['securityContext', keyof PodSecurityContext])[]

const containerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const satisfies readonly (keyof SecurityContext)[]

function validateWindows(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const [name, inner] of podFields) {
    const value = inner === undefined ? spec[name] : spec.securityContext?.[inner]
    const isSet = name === 'hostPID' || name === 'hostIPC' ? value === true : value !== undefined
    if (isSet) errors.push(field.forbidden(inner === undefined ? path.child(name) : path.child(name, inner), windows))
  }
  visitContainers(spec, path, ({ securityContext }, at) => {
    for (const name of containerFields)
      if (securityContext?.[name] !== undefined)
        errors.push(field.forbidden(at.child('securityContext', name), windows))
  })
  return errors
}

/** Validates Windows host process containers: either all containers of a pod are, or none is. */
export function validateHostProcesses(
  spec: PodSpec,
  path: FieldPath,
  allowPrivileged: boolean,
): readonly field.FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  const errors: field.FieldError[] = []
  let count = 0
  let processes = 0
  visitContainers(spec, path, ({ securityContext }, at) => {
    count++
    const own = securityContext?.windowsOptions?.hostProcess
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
      errors.push(field.invalid(at.child('securityContext', 'windowsOptions', 'hostProcess'), own, why))
    }
    if (own ?? ofPod) processes++
  })
  if (processes === 0) return errors
  if (processes !== count) {
    const why = 'If pod contains any hostProcess containers then all containers must be HostProcess containers'
    errors.push(field.invalid(path, '', why))
  }
  if (!spec.hostNetwork) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers'
    errors.push(field.invalid(path.child('hostNetwork'), false, why))
  }
  if (!allowPrivileged) errors.push(field.forbidden(path, 'hostProcess containers are disallowed by cluster policy'))
  return errors
}
