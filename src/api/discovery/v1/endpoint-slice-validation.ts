import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { labelKey, labelValue } from '../../../schema/label-names.js'
import { dnsLabel, dnsSubdomain, fullyQualifiedDomainName } from '../../../schema/names.js'
import { ipFamily } from '../../../schema/values/ip-address.js'
import { validateLabels } from '../../metadata/labels.js'
import { validateLegacyIp, validateNonSpecialIp } from '../../validation/addresses.js'
import { immutable } from '../../validation/immutability.js'
import { validateProtocol } from '../../validation/ports.js'
import type { AddressType, Endpoint, EndpointHints, EndpointPort, EndpointSlice } from './endpoint-slice.js'

const largest = { ports: 20_000, endpoints: 1000, addresses: 100, topology: 16, hints: 8 } as const

const addressTypes = ['FQDN', 'IPv4', 'IPv6'] as const
const typePath = fieldPath('addressType')

/** Validates a slice. Addresses of `old`, which it replaces, are not validated again. */
export function* validateEndpointSlice(slice: EndpointSlice, old?: EndpointSlice): Iterable<field.FieldError> {
  const { addressType } = slice
  if (!addressType) yield field.required(typePath)
  else if (!addressTypes.includes(addressType)) yield field.notSupported(typePath, addressType, addressTypes)
  yield* validatePorts(slice.ports ?? [], fieldPath('ports'))
  yield* validateEndpoints(slice, old)
}

export function* validateEndpointSliceUpdate(slice: EndpointSlice, old: EndpointSlice): Iterable<field.FieldError> {
  yield* validateEndpointSlice(slice, old)
  if (slice.addressType !== old.addressType) yield field.invalid(typePath, slice.addressType, immutable)
}

function* validatePorts(ports: readonly EndpointPort[], path: FieldPath): Iterable<field.FieldError> {
  if (ports.length > largest.ports) {
    yield field.tooMany(path, ports.length, largest.ports)
    return
  }
  const names = new Set<string>()
  for (const [i, port] of ports.entries()) yield* validatePort(port, path.index(i), names)
}

function* validatePort(
  { name = '', protocol, appProtocol }: EndpointPort,
  path: FieldPath,
  names: Set<string>,
): Iterable<field.FieldError> {
  if (name !== '') yield* field.invalidForEach(path.child('name'), name, dnsLabel(name))
  if (names.has(name)) yield field.duplicate(path.child('name'), name)
  names.add(name)
  yield* validateProtocol(protocol, path.child('protocol'))
  if (appProtocol !== undefined)
    yield* field.invalidForEach(path.child('appProtocol'), appProtocol, labelKey(appProtocol))
}

function* validateEndpoints(slice: EndpointSlice, old: EndpointSlice | undefined): Iterable<field.FieldError> {
  const endpoints = slice.endpoints ?? []
  const path = fieldPath('endpoints')
  if (endpoints.length > largest.endpoints) {
    yield field.tooMany(path, endpoints.length, largest.endpoints)
    return
  }
  const before = new Set((old?.endpoints ?? []).flatMap(({ addresses }) => addresses))
  for (const [i, endpoint] of endpoints.entries()) {
    yield* validateAddresses(endpoint.addresses ?? [], path.index(i).child('addresses'), { slice, before })
    yield* validateEndpoint(endpoint, path.index(i))
  }
}

interface AddressContext {
  readonly slice: EndpointSlice
  readonly before: ReadonlySet<string>
}

function* validateAddresses(
  addresses: readonly string[],
  path: FieldPath,
  { slice: { addressType }, before }: AddressContext,
): Iterable<field.FieldError> {
  if (addresses.length === 0) yield field.required(path, 'must contain at least 1 address')
  else if (addresses.length > largest.addresses) yield field.tooMany(path, addresses.length, largest.addresses)
  for (const [i, address] of addresses.entries()) {
    if (addressType === 'FQDN') yield* fullyQualifiedDomainName(path.index(i), address)
    else if ((addressType === 'IPv4' || addressType === 'IPv6') && !before.has(address))
      yield* validateAddress(address, addressType, { path, i })
  }
}

function* validateAddress(
  address: string,
  addressType: Exclude<AddressType, 'FQDN'>,
  { path, i }: { readonly path: FieldPath; readonly i: number },
): Iterable<field.FieldError> {
  const errors = validateLegacyIp(address, path.index(i))
  yield* errors
  if (errors.length > 0) return
  if (ipFamily(address) !== (addressType === 'IPv4' ? 4 : 6))
    yield field.invalid(path, address, `must be an ${addressType} address`)
  yield* validateNonSpecialIp(address, path.index(i))
}

function* validateEndpoint(
  { nodeName, deprecatedTopology = {}, hostname, hints }: Endpoint,
  path: FieldPath,
): Iterable<field.FieldError> {
  if (nodeName !== undefined) yield* field.invalidForEach(path.child('nodeName'), nodeName, dnsSubdomain(nodeName))
  const topologyPath = path.child('deprecatedTopology')
  const size = Object.keys(deprecatedTopology).length
  if (size > largest.topology) yield field.tooMany(topologyPath, size, largest.topology)
  yield* validateLabels(deprecatedTopology, topologyPath)
  if (hostname !== undefined) yield* field.invalidForEach(path.child('hostname'), hostname, dnsLabel(hostname))
  if (hints) yield* validateHints(hints, path.child('hints'))
}

function* validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: FieldPath): Iterable<field.FieldError> {
  yield* validateNames(forZones, path.child('forZones'), labelValue)
  yield* validateNames(forNodes, path.child('forNodes'), dnsSubdomain)
}

function* validateNames(
  named: readonly { readonly name: string }[],
  path: FieldPath,
  rule: (name: string) => readonly string[],
): Iterable<field.FieldError> {
  if (named.length > largest.hints) {
    yield field.tooMany(path, named.length, largest.hints)
    return
  }
  const names = new Set<string>()
  for (const [i, { name }] of named.entries()) {
    const namePath = path.index(i).child('name')
    if (names.has(name)) yield field.duplicate(namePath, name)
    names.add(name)
    yield* field.invalidForEach(namePath, name, rule(name))
  }
}
