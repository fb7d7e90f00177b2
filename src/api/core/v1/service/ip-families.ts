/** Chooses the IP families of a service, from its spec and the families of the cluster. */
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { ipFamily } from '../../../../schema/values/ip-address.js'
import type { IPFamily, Service } from '../service.js'
import { validateClusterIps } from './address-validation.js'
import { sameList } from './changes.js'
import { needsClusterIp, noClusterIp } from './types.js'

const policyPath = fieldPath('spec', 'ipFamilyPolicy')

/**
 * Fills in `ipFamilyPolicy` and `ipFamilies`, after `alignClusterIps` and before addresses are allocated. `available` are the
 * families of the cluster, the primary one first. Returns errors; if there are any, nothing may be allocated.
 */
export function chooseFamilies(
  draft: Draft<Service>,
  old: Service | undefined,
  available: readonly IPFamily[],
): readonly field.FieldError[] {
  if (!needsClusterIp(draft) || (old && keepsDualStack(draft, old))) return field.none
  draft.spec = { ...draft.spec }
  draft.spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? (isSelectorless(draft) ? 'RequireDualStack' : 'SingleStack')
  const malformed = [...validateClusterIps(draft, old)]
  if (malformed.length > 0) return malformed
  const refused = [
    ...(old ? reduceToPolicy(draft, old) : field.none),
    ...validateCounts(draft),
    ...inferFamilies(draft, available),
  ]
  if (refused.length > 0) return refused
  if (isSelectorless(draft)) {
    fillIn(draft, available, true)
    return field.none
  }
  const unavailable = [...validateAvailable(draft, available)]
  if (unavailable.length === 0) fillIn(draft, available, available.length === 2)
  return unavailable
}

/** A service with `PreferDualStack` does not get a second family when the cluster gains one, only when the service changes. */
function keepsDualStack({ spec }: Service, old: Service): boolean {
  return (
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (old.spec.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    spec.type === old.spec.type &&
    sameList(spec.clusterIPs, old.spec.clusterIPs) &&
    sameList(spec.ipFamilies, old.spec.ipFamilies)
  )
}

/** Whether a headless service has no selector; its endpoints may have any family. */
function isSelectorless({ spec }: Service): boolean {
  return spec.clusterIP === noClusterIp && Object.keys(spec.selector ?? {}).length === 0
}

/** Removes the second address if the policy is `SingleStack`. Otherwise it cannot be removed. */
function* reduceToPolicy({ spec }: Draft<Service>, old: Service): Iterable<field.FieldError> {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec
  const before = old.spec
  if (ipFamilyPolicy === 'SingleStack') {
    if (clusterIPs.length > 1 && sameList(clusterIPs, before.clusterIPs)) spec.clusterIPs = clusterIPs.slice(0, 1)
    if (ipFamilies.length > 1 && sameList(ipFamilies, before.ipFamilies)) spec.ipFamilies = ipFamilies.slice(0, 1)
    return
  }
  if (isReduced(clusterIPs, before.clusterIPs))
    yield field.invalid(policyPath, ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP")
  if (isReduced(ipFamilies, before.ipFamilies))
    yield field.invalid(policyPath, ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family")
}

function* validateCounts({ spec }: Service): Iterable<field.FieldError> {
  if (spec.ipFamilyPolicy !== 'SingleStack') return
  const dual = "must be 'RequireDualStack' or 'PreferDualStack' when multiple"
  if (spec.clusterIPs?.length === 2)
    yield field.invalid(policyPath, spec.ipFamilyPolicy, `${dual} cluster IPs are specified`)
  if (spec.ipFamilies?.length === 2)
    yield field.invalid(policyPath, spec.ipFamilyPolicy, `${dual} IP families are specified`)
}

/** Derives families from the addresses. */
function* inferFamilies({ spec }: Draft<Service>, available: readonly IPFamily[]): Iterable<field.FieldError> {
  const { clusterIPs = [] } = spec
  for (const [i, ip] of clusterIPs.entries()) {
    if (ip === noClusterIp) return
    if (i < (spec.ipFamilies?.length ?? 0)) continue
    const family = ipFamily(ip) === 6 ? 'IPv6' : 'IPv4'
    if (available.includes(family)) spec.ipFamilies = [...(spec.ipFamilies ?? []), family]
    else
      yield field.invalid(
        fieldPath('spec', 'clusterIPs').index(i),
        clusterIPs,
        `${family} is not configured on this cluster`,
      )
  }
}

function* validateAvailable({ spec }: Service, available: readonly IPFamily[]): Iterable<field.FieldError> {
  if (spec.ipFamilyPolicy === 'RequireDualStack' && available.length < 2)
    yield field.invalid(policyPath, spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services')
  for (const [i, family] of (spec.ipFamilies ?? []).entries())
    if (!available.includes(family))
      yield field.invalid(fieldPath('spec', 'ipFamilies').index(i), family, 'not configured on this cluster')
}

function fillIn({ spec }: Draft<Service>, available: readonly IPFamily[], mayBeDual: boolean): void {
  const [first = available[0]!, ...rest] = spec.ipFamilies ?? []
  const isDual = rest.length === 0 && mayBeDual && spec.ipFamilyPolicy !== 'SingleStack'
  spec.ipFamilies = [first, ...(isDual ? [first === 'IPv4' ? ('IPv6' as const) : ('IPv4' as const)] : rest)]
}

function isReduced(after: readonly string[], before: readonly string[] = []): boolean {
  return after.length > 0 && after.length < before.length
}
