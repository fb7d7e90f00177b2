import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { ipWarnings } from '../../../../schema/values/addresses.js'
import { validateLegacyIp, validateNonSpecialIp } from '../../../validation/addresses.js'
import { validatePortNumber, validateProtocol } from '../../../validation/ports.js'
import type { EndpointAddress, EndpointSubset } from '../endpoints.js'
import { EndpointPort, Endpoints } from '../endpoints.js'
import { hostAndPort, shortened } from './cells.js'

export const endpointPortDefaults = declareDefaults<EndpointPort>(EndpointPort, (port) => {
  port.protocol ||= 'TCP'
})

export const endpointsTable = declareTable<Endpoints>(Endpoints, { Endpoints: endpointsCell })

export const endpointsStrategy = declareStrategy<Endpoints>(Endpoints, {
  validate: (endpoints) => validateEndpoints(endpoints),
  validateUpdate: validateEndpoints,
  warnings: endpointsWarnings,
  createdByUpdate: true,
})

const subsetsPath = fieldPath('subsets')

function* validateEndpoints({ subsets = [] }: Endpoints, old?: Endpoints): Iterable<field.FieldError> {
  const before = (old?.subsets ?? []).flatMap(addressesOf).map(({ ip }) => ip)
  for (const [i, subset] of subsets.entries()) yield* validateSubset(subset, subsetsPath.index(i), before)
}

function addressesOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset): readonly EndpointAddress[] {
  return [...addresses, ...notReadyAddresses]
}

/** Ports are optional, because headless services may have none; addresses are required. */
function* validateSubset(
  subset: EndpointSubset,
  path: FieldPath,
  before: readonly string[],
): Iterable<field.FieldError> {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset
  if (addresses.length === 0 && notReadyAddresses.length === 0)
    yield field.required(path, 'must specify `addresses` or `notReadyAddresses`')
  for (const [i, address] of addresses.entries())
    yield* validateAddress(address, path.child('addresses').index(i), before)
  for (const [i, address] of notReadyAddresses.entries())
    yield* validateAddress(address, path.child('notReadyAddresses').index(i), before)
  for (const [i, port] of ports.entries()) yield* validatePort(port, path.child('ports').index(i), ports.length > 1)
}

function* validateAddress(
  { ip, hostname = '', nodeName }: EndpointAddress,
  path: FieldPath,
  before: readonly string[],
): Iterable<field.FieldError> {
  yield* validateLegacyIp(ip, path.child('ip'), before)
  if (hostname !== '') yield* field.invalidForEach(path.child('hostname'), hostname, dnsLabel(hostname))
  if (nodeName !== undefined) yield* field.invalidForEach(path.child('nodeName'), nodeName, dnsSubdomain(nodeName))
  yield* validateNonSpecialIp(ip, path.child('ip'))
}

function* validatePort(
  { name = '', port, protocol, appProtocol }: EndpointPort,
  path: FieldPath,
  isNameRequired: boolean,
): Iterable<field.FieldError> {
  if (name !== '') yield* field.invalidForEach(path.child('name'), name, dnsLabel(name))
  else if (isNameRequired) yield field.required(path.child('name'))
  yield* validatePortNumber(port, path.child('port'))
  yield* validateProtocol(protocol, path.child('protocol'))
  if (appProtocol !== undefined)
    yield* field.invalidForEach(path.child('appProtocol'), appProtocol, labelKey(appProtocol))
}

function endpointsWarnings({ subsets = [] }: Endpoints): readonly string[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [] }, i) => [
    ...addresses.flatMap(({ ip }, j) => ipWarnings(subsetsPath.index(i).child('addresses').index(j).child('ip'), ip)),
    ...notReadyAddresses.flatMap(({ ip }, j) =>
      ipWarnings(subsetsPath.index(i).child('notReadyAddresses').index(j).child('ip'), ip),
    ),
  ])
}

function endpointsCell({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>'
  return shortened(
    subsets.flatMap(({ addresses = [], ports = [] }) =>
      ports.length === 0
        ? addresses.map(({ ip }) => ip)
        : ports.flatMap(({ port }) => addresses.map(({ ip }) => hostAndPort(ip, port))),
    ),
  )
}
