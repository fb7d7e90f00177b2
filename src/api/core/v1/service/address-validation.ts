/** Validates the cluster IPs and IP families of a service. */
import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { ipFamily } from '../../../../schema/values/ip-address.js'
import { validateLegacyIp } from '../../../validation/addresses.js'
import type { Service } from '../service.js'
import { isDeclaredHeadless, noClusterIp } from './types.js'

const clusterIpsPath = fieldPath('spec', 'clusterIPs')
const familiesPath = fieldPath('spec', 'ipFamilies')
const policyPath = fieldPath('spec', 'ipFamilyPolicy')

const families = ['IPv4', 'IPv6'] as const
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'] as const

/** Also called before allocation, so absent addresses are valid. */
export function* validateClusterIps(service: Service, old?: Service): Iterable<field.FieldError> {
  const { spec } = service
  if (spec.type === 'ExternalName') return
  yield* validateFirstClusterIp(service)
  yield* validateFamilies(service)
  const policy = spec.ipFamilyPolicy
  if (policy !== undefined && !policies.includes(policy)) yield field.notSupported(policyPath, policy, policies)
  const wrong = [...validateEachClusterIp(service, old)]
  yield* wrong
  if ((spec.clusterIPs?.length ?? 0) > 2)
    yield field.invalid(clusterIpsPath, spec.clusterIPs, 'may only hold up to 2 values')
  if (wrong.length === 0) yield* validateFamiliesOfClusterIps(service)
}

/** `clusterIP` is the first of `clusterIPs`. */
function* validateFirstClusterIp({ spec: { clusterIP = '', clusterIPs = [] } }: Service): Iterable<field.FieldError> {
  if (clusterIP === '') {
    if (clusterIPs.length > 0)
      yield field.invalid(clusterIpsPath, clusterIPs, 'must be empty when `clusterIP` is not specified')
  } else if (clusterIPs.length === 0) yield field.required(clusterIpsPath)
  else if (clusterIPs[0] !== clusterIP)
    yield field.invalid(clusterIpsPath, clusterIPs, 'first value must match `clusterIP`')
}

function* validateFamilies({ spec: { ipFamilies = [] } }: Service): Iterable<field.FieldError> {
  const isFamily: ReadonlySet<string> = new Set(families)
  for (const [i, family] of ipFamilies.entries()) {
    if (!isFamily.has(family)) yield field.notSupported(familiesPath.index(i), family, families)
    if (ipFamilies.indexOf(family) < i) yield field.duplicate(familiesPath.index(i), family)
  }
}

function* validateEachClusterIp({ spec }: Service, old: Service | undefined): Iterable<field.FieldError> {
  const { clusterIPs = [] } = spec
  for (const [i, ip] of clusterIPs.entries()) {
    if (i > 0 || ip !== noClusterIp) yield* validateLegacyIp(ip, clusterIpsPath.index(i), old?.spec.clusterIPs)
    else if (clusterIPs.length > 1)
      yield field.invalid(clusterIpsPath, clusterIPs, "'None' must be the first and only value")
  }
}

function* validateFamiliesOfClusterIps(service: Service): Iterable<field.FieldError> {
  const { clusterIPs = [], ipFamilies = [] } = service.spec
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(ipFamily)).size < 2)
    yield field.invalid(clusterIpsPath, clusterIPs, 'may specify no more than one IP for each IP family')
  if (isDeclaredHeadless(service)) return
  for (const [i, family] of ipFamilies.slice(0, clusterIPs.length).entries()) {
    const ip = clusterIPs[i]!
    const expected =
      family === 'IPv4' && ipFamily(ip) === 6 ? 'IPv4' : family === 'IPv6' && ipFamily(ip) !== 6 && 'IPv6'
    if (expected)
      yield field.invalid(
        clusterIpsPath.index(i),
        ip,
        `expected an ${expected} value as indicated by \`ipFamilies[${i}]\``,
      )
  }
}

const fixed = 'may not change once set'

/** The first address is immutable. A second one can be added, and removed if the policy requests one family. */
export function* validateClusterIpsUpdate(service: Service, old: Service): Iterable<field.FieldError> {
  if (hasExternalName(service, old) || (isDeclaredHeadless(service) && isDeclaredHeadless(old))) return
  const after = service.spec.clusterIPs ?? []
  const before = old.spec.clusterIPs ?? []
  if (before.length !== after.length)
    yield* validateLength(service, { noun: 'clusterIP', path: clusterIpsPath, after, before })
  else
    for (const [i, ip] of before.entries())
      if (ip !== after[i]) yield field.invalid(clusterIpsPath.index(i), after, fixed)
}

/** Validates a change of the families. Headless services may change any. */
export function* validateFamiliesUpdate(service: Service, old: Service): Iterable<field.FieldError> {
  if (hasExternalName(service, old) || isDeclaredHeadless(service) || isDeclaredHeadless(old)) return
  const after = service.spec.ipFamilies ?? []
  const before = old.spec.ipFamilies ?? []
  if (before.length !== after.length)
    yield* validateLength(service, { noun: 'ipFamily', path: familiesPath, after, before })
  else
    for (const [i, family] of before.entries())
      if (family !== after[i]) yield field.invalid(familiesPath.index(0), after, fixed)
}

interface Change {
  readonly noun: 'clusterIP' | 'ipFamily'
  readonly path: FieldPath
  readonly after: readonly string[]
  readonly before: readonly string[]
}

/** Upstream prints the addresses in errors about families as well. */
function* validateLength({ spec }: Service, { noun, path, after, before }: Change): Iterable<field.FieldError> {
  const isReleased = before.length > after.length
  if (isReleased && !spec.clusterIPs?.length)
    yield field.invalid(path.index(0), after.length > 0 ? after : null, `primary ${noun} can not be unset`)
  if (before.length > 0 && after.length > 0 && before[0] !== after[0])
    yield field.invalid(path.index(0), spec.clusterIPs, fixed)
  if (isReleased && after.length === 1 && spec.ipFamilyPolicy !== 'SingleStack')
    yield field.invalid(
      policyPath,
      spec.ipFamilyPolicy,
      `must be set to 'SingleStack' when releasing the secondary ${noun}`,
    )
}

/** Whether either service has the type `ExternalName`; then everything may change. */
function hasExternalName(service: Service, old: Service): boolean {
  return service.spec.type === 'ExternalName' || old.spec.type === 'ExternalName'
}
