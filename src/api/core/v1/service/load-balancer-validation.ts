/** Validates the status of a load balancer, in a service or an ingress. */

import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { compareText } from '../../../../schema/text-order.js'
import { ipWarnings } from '../../../../schema/values/addresses.js'
import { parseIp } from '../../../../schema/values/ip-address.js'
import { validateLegacyIp } from '../../../validation/addresses.js'
import type { LoadBalancerIngress } from '../service.js'

/** One address of a load balancer. */
export type BalancerAddress = Pick<LoadBalancerIngress, 'ip' | 'hostname'>

export function validateBalancerIp(
  { ip = '' }: BalancerAddress,
  path: FieldPath,
  before: readonly BalancerAddress[] = [],
): readonly field.FieldError[] {
  if (ip === '') return field.none
  return validateLegacyIp(
    ip,
    path.child('ip'),
    before.flatMap((address) => address.ip ?? []),
  )
}

export function* validateBalancerHostname(
  { hostname = '' }: BalancerAddress,
  path: FieldPath,
): Iterable<field.FieldError> {
  if (hostname === '') return
  yield* field.invalidForEach(path.child('hostname'), hostname, dnsSubdomain(hostname))
  if (parseIp(hostname)) yield field.invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address')
}

export function balancerWarnings(addresses: readonly BalancerAddress[] = [], path: FieldPath): readonly string[] {
  return addresses.flatMap(({ ip = '' }, i) => (ip === '' ? [] : ipWarnings(path.index(i), ip)))
}

/** The distinct addresses, sorted. */
export function balancerAddresses(addresses: readonly BalancerAddress[] = []): readonly string[] {
  return [...new Set(addresses.flatMap(({ ip, hostname }) => ip || hostname || []))].sort(compareText)
}
