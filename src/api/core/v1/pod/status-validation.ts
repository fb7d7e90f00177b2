import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { userOrGroupId } from '../../../../schema/identifiers.js'
import { labelKey } from '../../../../schema/label-names.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { ipAddress, ipWarnings } from '../../../../schema/values/addresses.js'
import { ipFamily } from '../../../../schema/values/ip-address.js'
import { immutable } from '../../../validation/immutability.js'
import { canRestartAllContainers, isRestartedAfter } from '../container/restarts.js'
import type { LinuxContainerUser } from '../container/status.js'
import type { Container } from '../container.js'
import type { Pod } from '../pod.js'
import { validateAllocatedResources } from './allocated-resource-validation.js'
import type { PodStatus } from './status.js'

const statusPath = fieldPath('status')
const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const

/** Validates a new status of a pod. */
export function validatePodStatusUpdate({ spec, status }: Pod, old: Pod): readonly field.FieldError[] {
  return [
    ...validateConditions(status, statusPath.child('conditions')),
    ...validateNominatedNode(status, old),
    ...(status.qosClass === old.status.qosClass
      ? []
      : [field.invalid(statusPath.child('qosClass'), status.qosClass ?? '', immutable)]),
    ...validateTransitions(status, old),
    ...validateClaims(status, spec.resourceClaims ?? []),
    ...validateAddresses(status.podIPs ?? [], statusPath.child('podIPs')),
    ...validateHostAddresses(status),
    ...validateUsers(status, spec.os?.name ?? 'linux'),
    ...validateAllocatedResources(status, spec, statusPath),
  ]
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized'])

function validateConditions({ conditions = [] }: PodStatus, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const [i, { type }] of conditions.entries())
    if (!systemConditions.has(type))
      errors.push(...field.invalidForEach(path.index(i).child('Type'), type, labelKey(type)))
  return errors
}

/** Validates the node on which preemption makes room. A bound pod has none. */
function validateNominatedNode({ nominatedNodeName: name }: PodStatus, old: Pod): readonly field.FieldError[] {
  if (!name || name === old.status.nominatedNodeName) return field.none
  const at = statusPath.child('nominatedNodeName')
  const errors: field.FieldError[] = [...field.invalidForEach(at, name, dnsSubdomain(name))]
  if (old.spec.nodeName) errors.push(field.forbidden(at, 'may not be set on pods that are already bound to a node'))
  return errors
}

/** Rejects a restart of containers that have ended for good. */
function validateTransitions(status: PodStatus, { spec, status: old }: Pod): readonly field.FieldError[] {
  const isRestarted = (containers: readonly Container[] | undefined) => (name: string, exitCode: number) => {
    if (canRestartAllContainers(spec)) return true
    const container = containers?.find((one) => one.name === name)
    return container !== undefined && isRestartedAfter(container, spec, exitCode)
  }
  return [
    ...revivals('containerStatuses', status, old, isRestarted(spec.containers)),
    ...revivals('initContainerStatuses', status, old, isRestarted(spec.initContainers)),
    ...revivals('ephemeralContainerStatuses', status, old, () => false),
  ]
}

function revivals(
  name: (typeof statusLists)[number],
  status: PodStatus,
  old: PodStatus,
  isRestarted: (name: string, exitCode: number) => boolean,
): readonly field.FieldError[] {
  if (!old[name]?.some(({ state }) => state?.terminated)) return field.none
  return old[name].flatMap((before, i) => {
    const end = before.state?.terminated
    if (!end || isRestarted(before.name, end.exitCode)) return []
    return (status[name] ?? [])
      .filter((after) => after.name === before.name && !after.state?.terminated)
      .map(() =>
        field.forbidden(
          statusPath.child(name).index(i).child('state'),
          'may not be transitioned to non-terminated state',
        ),
      )
  })
}

function validateClaims(
  { resourceClaimStatuses = [] }: PodStatus,
  claims: readonly { readonly name: string }[],
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  const seen = new Set<string>()
  for (const [i, { name, resourceClaimName }] of resourceClaimStatuses.entries()) {
    const at = statusPath.child('resourceClaimStatuses').index(i).child('name')
    if (!claims.some((claim) => claim.name === name))
      errors.push(field.invalid(at, name, 'must match the name of an entry in `spec.resourceClaims`'))
    if (seen.has(name)) errors.push(field.duplicate(at, name))
    seen.add(name)
    if (resourceClaimName !== undefined)
      errors.push(...field.invalidForEach(at, resourceClaimName, dnsSubdomain(resourceClaimName)))
  }
  return errors
}

type Addresses = readonly { readonly ip: string }[]

/** Validates that there is at most one address per family. */
function validateAddresses(addresses: Addresses, path: FieldPath): readonly field.FieldError[] {
  const errors = addresses.flatMap(({ ip }, i) => ipAddress(path.index(i), ip, 'sloppy'))
  if (addresses.length > 1) errors.push(...familyErrors(addresses, path), ...repetitions(addresses, path))
  return errors
}

/** Validates the addresses of the node. Duplicates are reported first. */
function validateHostAddresses({ hostIP = '', hostIPs = [] }: PodStatus): readonly field.FieldError[] {
  const path = statusPath.child('hostIPs')
  const [first] = hostIPs
  if (!first) return field.none
  const errors: field.FieldError[] = []
  if (first.ip !== hostIP) errors.push(field.invalid(path.index(0).child('ip'), first.ip, 'must be equal to `hostIP`'))
  errors.push(...hostIPs.flatMap(({ ip }, i) => ipAddress(path.index(i), ip, 'sloppy')))
  if (hostIPs.length > 1) errors.push(...repetitions(hostIPs, path), ...familyErrors(hostIPs, path))
  return errors
}

function familyErrors(addresses: Addresses, path: FieldPath): readonly field.FieldError[] {
  const unreadable = addresses.findIndex(({ ip }) => ipFamily(ip) === undefined)
  const errors: field.FieldError[] = []
  if (unreadable >= 0) {
    const why = `invalid IP[${unreadable}]: <nil>`
    errors.push(field.internalError(path, `failed to check for dual stack with error:${why}`))
  }
  const families = new Set(addresses.map(({ ip }) => ipFamily(ip)))
  if (unreadable < 0 && families.size === 2 && addresses.length === 2) return errors
  const shown = addresses.map(({ ip }) => ({ IP: ip }))
  errors.push(field.invalid(path, shown, 'may specify no more than one IP for each IP family'))
  return errors
}

function repetitions(addresses: Addresses, path: FieldPath): readonly field.FieldError[] {
  return addresses.flatMap(({ ip }, i) =>
    addresses.findIndex((other) => other.ip === ip) < i ? [field.duplicate(path.index(i), { IP: ip })] : [],
  )
}

function validateUsers(status: PodStatus, system: string): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const name of statusLists)
    for (const [i, { user }] of status[name]?.entries() ?? [])
      if (user?.linux) errors.push(...validateUser(user.linux, statusPath.child(name).index(i).child('linux'), system))
  return errors
}

function validateUser(
  { uid, gid, supplementalGroups = [] }: LinuxContainerUser,
  path: FieldPath,
  system: string,
): readonly field.FieldError[] {
  if (system === 'windows') return [field.forbidden(path, 'cannot be set for a windows pod')]
  return [
    ...field.invalidForEach(path.child('uid'), uid, userOrGroupId(uid)),
    ...field.invalidForEach(path.child('gid'), gid, userOrGroupId(gid)),
    ...supplementalGroups.flatMap((group, i) =>
      field.invalidForEach(path.child('supplementalGroups').index(i), group, userOrGroupId(group)),
    ),
  ]
}

/** Warnings about addresses that are valid but not canonical. */
export function podStatusWarnings({ status: { podIPs = [], hostIPs = [] } }: Pod): readonly string[] {
  return [
    ...podIPs.flatMap(({ ip }, i) => ipWarnings(statusPath.child('podIPs').index(i).child('ip'), ip)),
    ...hostIPs.flatMap(({ ip }, i) => ipWarnings(statusPath.child('hostIPs').index(i).child('ip'), ip)),
  ]
}
