/** Validates IP addresses and networks in fields, and returns warnings about unusual forms. */
import { isIPv4 } from 'node:net'
import type { FieldError } from '../field-errors.js'
import * as field from '../field-errors.js'
import type { FieldPath } from '../field-path.js'
import { type Messages, noMessages } from '../names.js'
import { quote } from '../quote.js'
import { bitsOf, cidrText, type IpAddress, ipText, networkOf, parseCidr, parseIp, sameAddress } from './ip-address.js'

const noAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const noCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/**
 * Which forms a field accepts. `sloppy`: also leading zeros, IPv4-mapped IPv6, and bits behind the prefix. `strict`: none of these.
 * `canonical`: only the canonical form, for fields that were added later.
 */
export type AddressRule = 'sloppy' | 'strict' | 'canonical'

export function ipAddress(path: FieldPath, value: string, rule: AddressRule): readonly FieldError[] {
  return field.invalidForEach(path, value, ipMessages(value, rule))
}

function ipMessages(value: string, rule: AddressRule): Messages {
  if (isPlain(value)) return noMessages
  const address = parseIp(value)
  if (!address) return [noAddress]
  if (rule === 'sloppy') return noMessages
  if (address.leadingZeros) return ['must not have leading 0s']
  if (address.mapped) return ['must not be an IPv4-mapped IPv6 address']
  return rule === 'canonical' ? notCanonical(value, ipText(address)) : noMessages
}

/** Fast path for nearly all addresses: well-formed IPv4. */
const isPlain = isIPv4

function notCanonical(value: string, canonical: string): Messages {
  return value === canonical ? noMessages : [`must be in canonical form (${quote(canonical)})`]
}

export function cidr(path: FieldPath, value: string, rule: AddressRule): readonly FieldError[] {
  return field.invalidForEach(path, value, cidrMessages(value, rule))
}

function cidrMessages(value: string, rule: AddressRule): Messages {
  const parsed = parseCidr(value)
  if (!parsed) return [noCidr]
  if (rule === 'sloppy') return noMessages
  if (parsed.leadingZeros) return ['must not have leading 0s in IP or prefix length']
  if (parsed.address.mapped) return ['must not have an IPv4-mapped IPv6 address']
  const network = networkOf(parsed)
  if (!sameAddress(parsed.address, network)) return ['must not have bits set beyond the prefix length']
  return rule === 'canonical' ? notCanonical(value, cidrText(network, parsed)) : noMessages
}

/** An address with the prefix length of its network: `192.168.1.5/24`. */
export function interfaceAddress(path: FieldPath, value: string): readonly FieldError[] {
  const parsed = parseCidr(value)
  const messages = parsed
    ? notCanonical(value, cidrText(parsed.address, parsed))
    : ['must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)']
  return field.invalidForEach(path, value, messages)
}

export function ipv4Address(path: FieldPath, value: string): readonly FieldError[] {
  const isIpv4 = parseIp(value)?.bytes.length === 4
  return isIpv4 ? [] : [field.invalid(path, value, 'must be a valid IPv4 address')]
}

export function ipv6Address(path: FieldPath, value: string): readonly FieldError[] {
  const isIpv6 = parseIp(value)?.bytes.length === 16
  return isIpv6 ? [] : [field.invalid(path, value, 'must be a valid IPv6 address')]
}

/** Warnings about an address that `ipAddress` accepts. */
export function ipWarnings(path: FieldPath, value: string): string[] {
  if (isPlain(value)) return []
  const address = parseIp(value)
  if (!address) return []
  const canonical = quote(ipText(address))
  if (isNonStandard(address))
    return [
      `${path}: non-standard IP address ${quote(value)} will be considered invalid in a future Kubernetes release: use ${canonical}`,
    ]
  if (quote(value) === canonical) return []
  return [`${path}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${canonical})`]
}

function isNonStandard({ leadingZeros, mapped }: IpAddress): boolean {
  return leadingZeros || mapped
}

/** Warnings about a network that `cidr` accepts. */
export function cidrWarnings(path: FieldPath, value: string): string[] {
  const parsed = parseCidr(value)
  if (!parsed) return []
  const network = networkOf(parsed)
  const canonical = quote(cidrText(network, parsed))
  const warnings: string[] = []
  if (!sameAddress(parsed.address, network)) {
    const alone = quote(`${ipText(parsed.address)}/${bitsOf({ ...parsed.address, mapped: false })}`)
    warnings.push(
      `${path}: CIDR value ${quote(value)} is ambiguous in this context (should be ${canonical} or ${alone}?)`,
    )
  }
  if (parsed.leadingZeros || parsed.address.mapped)
    warnings.push(
      `${path}: non-standard CIDR value ${quote(value)} will be considered invalid in a future Kubernetes release: use ${canonical}`,
    )
  if (warnings.length === 0 && quote(value) !== canonical)
    warnings.push(`${path}: IPv6 CIDR value ${quote(value)} should be in RFC 5952 canonical format (${canonical})`)
  return warnings
}
