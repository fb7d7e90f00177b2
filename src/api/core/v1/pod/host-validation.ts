import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { visitContainers } from './containers.js'
import type { PodSpec } from './spec.js'
import type { PodRulesContext } from './validation-context.js'

/** With host networking, host ports must equal container ports. Templates may omit them. */
export function validateHostNetworkPorts(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  if (!spec.hostNetwork) return field.none
  const errors: field.FieldError[] = []
  for (const [i, { ports = [] }] of spec.containers.entries())
    for (const [j, { hostPort = 0, containerPort }] of ports.entries())
      if (hostPort !== 0 && hostPort !== containerPort) {
        const at = path.child('containers').index(i).child('ports').index(j).child('hostPort')
        errors.push(field.invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true'))
      }
  return errors
}

const ownUsers = 'when `hostUsers` is false'
const namespaces = ['hostNetwork', 'hostPID', 'hostIPC'] as const satisfies readonly (keyof PodSpec)[]

/** A pod with a user namespace must not use other host namespaces or raw block devices. */
export function validateHostUsers(
  spec: PodSpec,
  path: FieldPath,
  { old }: PodRulesContext,
): readonly field.FieldError[] {
  if (spec.hostUsers !== false) return field.none
  const errors: field.FieldError[] = []
  for (const name of namespaces) if (spec[name]) errors.push(field.forbidden(path.child(name), ownUsers))
  if (old && old.hostUsers === false && hasDevices(old)) return errors
  visitContainers(spec, path, ({ volumeDevices }, at) => {
    if (volumeDevices?.length) errors.push(field.forbidden(at.child('volumeDevices'), ownUsers))
  })
  return errors
}

function hasDevices({ containers, initContainers = [], ephemeralContainers = [] }: PodSpec): boolean {
  return [containers, initContainers, ephemeralContainers].some((list) =>
    list?.some(({ volumeDevices }) => volumeDevices !== undefined),
  )
}
