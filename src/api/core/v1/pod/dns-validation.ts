import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsLabel, dnsSubdomain, subdomainWithUnderscores } from '../../../../schema/names.js'
import { ipAddress } from '../../../../schema/values/addresses.js'
import type { HostAlias, PodDNSConfig, PodSpec } from './spec.js'

/** The limits of the resolver in the C library. */
const maximumNameservers = 3
const maximumSearches = 32
const maximumSearchLength = 2048
const maximumHostname = 64

/** Validates the DNS configuration of a pod. */
export function validateDnsConfig(
  config: PodDNSConfig | undefined,
  policy: string,
  path: FieldPath,
): readonly field.FieldError[] {
  if (policy === 'None' && !config) return [field.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
  if (policy === 'None' && !config?.nameservers?.length) {
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
    return [field.required(path.child('nameservers'), why)]
  }
  if (!config) return field.none
  return [
    ...validateNameservers(config.nameservers ?? [], path.child('nameservers')),
    ...validateSearches(config.searches ?? [], path.child('searches')),
    ...(config.options ?? []).flatMap(({ name = '' }, i) =>
      name === '' ? [field.required(path.child('options').index(i), 'must not be empty')] : [],
    ),
  ]
}

function validateNameservers(nameservers: readonly string[], path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (nameservers.length > maximumNameservers)
    errors.push(field.invalid(path, nameservers, `must not have more than ${maximumNameservers} nameservers`))
  for (const [i, nameserver] of nameservers.entries()) errors.push(...ipAddress(path.index(i), nameserver, 'sloppy'))
  return errors
}

function validateSearches(searches: readonly string[], path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (searches.length > maximumSearches)
    errors.push(field.invalid(path, searches, `must not have more than ${maximumSearches} search paths`))
  if (Buffer.byteLength(searches.join(' ')) > maximumSearchLength) {
    const why = `must not have more than ${maximumSearchLength} characters (including spaces) in the search list`
    errors.push(field.invalid(path, searches, why))
  }
  for (const [i, search] of searches.entries()) {
    const name = search.endsWith('.') ? search.slice(0, -1) : search
    if (search !== '.') errors.push(...field.invalidForEach(path.index(i), name, subdomainWithUnderscores(name)))
  }
  return errors
}

export function validateHostAliases(
  aliases: readonly HostAlias[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!aliases) return field.none
  return aliases.flatMap(({ ip, hostnames = [] }, i) => [
    ...ipAddress(path.index(i).child('ip'), ip, 'sloppy'),
    ...hostnames.flatMap((name, j) =>
      field.invalidForEach(path.index(i).child('hostnames').index(j), name, dnsSubdomain(name)),
    ),
  ])
}

/** Validates the hostname and subdomain of a pod. */
export function validateHostnames({ hostname = '', subdomain = '' }: PodSpec, path: FieldPath): field.FieldError[] {
  return [
    ...(hostname === '' ? [] : field.invalidForEach(path.child('hostname'), hostname, dnsLabel(hostname))),
    ...(subdomain === '' ? [] : field.invalidForEach(path.child('subdomain'), subdomain, dnsLabel(subdomain))),
  ]
}

/** Validates `hostnameOverride`: a domain name of the length that the kernel allows, which excludes other hostname fields. */
export function validateHostnameOverride(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  const { hostnameOverride: name } = spec
  if (name === undefined) return field.none
  const at = path.child('hostnameOverride')
  const errors: field.FieldError[] = [...field.invalidForEach(at, name, dnsSubdomain(name))]
  if (Buffer.byteLength(name) > maximumHostname) errors.push(field.tooLong(at, maximumHostname))
  if (spec.setHostnameAsFQDN) errors.push(field.forbidden(at, 'may not be set when setHostnameAsFQDN is true'))
  if (spec.hostNetwork) errors.push(field.forbidden(at, 'may not be set when hostNetwork is true'))
  return errors
}
