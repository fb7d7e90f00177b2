/** Addresses and networks in fields that are older than the strict formats. */

import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { cidr, ipAddress } from '../../schema/values/addresses.js'
import { parseIp } from '../../schema/values/ip-address.js'

/** Accepts every value that the old object has, so that existing objects stay valid. */
export function validateLegacyIp(
  value: string,
  path: FieldPath,
  before: readonly string[] = [],
): readonly field.FieldError[] {
  return before.includes(value) ? field.none : ipAddress(path, value, 'strict')
}

export function validateLegacyCidr(
  value: string,
  path: FieldPath,
  before: readonly string[] = [],
): readonly field.FieldError[] {
  return before.includes(value) ? field.none : cidr(path, value, 'strict')
}

/** Rejects addresses that cannot be targets of service traffic: unspecified, loopback, link-local and link-local multicast. */
export function* validateNonSpecialIp(value: string, path: FieldPath): Iterable<field.FieldError> {
  const address = parseIp(value)
  if (!address) {
    yield field.invalid(path, value, 'must be a valid IP address')
    return
  }
  const isSpecial = address.bytes.length === 4 ? specialIpv4 : specialIpv6
  if (isSpecial.unspecified(address.bytes)) yield field.invalid(path, value, `may not be unspecified (${value})`)
  if (isSpecial.loopback(address.bytes))
    yield field.invalid(path, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')
  if (isSpecial.linkLocal(address.bytes))
    yield field.invalid(path, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')
  if (isSpecial.linkLocalMulticast(address.bytes))
    yield field.invalid(path, value, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
}

type Bytes = readonly number[]

interface SpecialRanges {
  readonly unspecified: (bytes: Bytes) => boolean
  readonly loopback: (bytes: Bytes) => boolean
  readonly linkLocal: (bytes: Bytes) => boolean
  readonly linkLocalMulticast: (bytes: Bytes) => boolean
}

const specialIpv4: SpecialRanges = {
  unspecified: (bytes) => bytes.every((byte) => byte === 0),
  loopback: ([first]) => first === 127,
  linkLocal: ([first, second]) => first === 169 && second === 254,
  linkLocalMulticast: ([first, second, third]) => first === 224 && second === 0 && third === 0,
}

const specialIpv6: SpecialRanges = {
  unspecified: (bytes) => bytes.every((byte) => byte === 0),
  loopback: (bytes) => bytes.every((byte, i) => byte === (i === 15 ? 1 : 0)),
  linkLocal: ([first = 0, second = 0]) => first === 0xfe && (second & 0xc0) === 0x80,
  linkLocalMulticast: ([first = 0, second = 0]) => first === 0xff && (second & 0x0f) === 0x02,
}
