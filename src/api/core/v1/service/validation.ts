import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'
import { validateLabels } from '../../../metadata/labels.js'
import { validateLegacyIp, validateNonSpecialIp } from '../../../validation/addresses.js'
import { validatePortNumber, validatePortNumberOrName, validateProtocol } from '../../../validation/ports.js'
import type { LoadBalancerIngress, Service, ServicePort, ServiceSpec } from '../service.js'
import { validateClusterIps, validateClusterIpsUpdate, validateFamiliesUpdate } from './address-validation.js'
import { validateBalancerHostname, validateBalancerIp } from './load-balancer-validation.js'
import {
  validateExternalTraffic,
  validateHealthCheckPortUpdate,
  validateInternalTraffic,
  validateLoadBalancerClass,
  validateNodePortAllocation,
  validateSessionAffinity,
  validateSourceRanges,
  validateTrafficDistribution,
} from './traffic-validation.js'
import { isDeclaredHeadless } from './types.js'

const specPath = fieldPath('spec')
const portsPath = specPath.child('ports')

/** Validates a service. Addresses of `old`, which it replaces, are not validated again. */
export function* validateService(service: Service, old?: Service): Iterable<field.FieldError> {
  const { spec } = service
  yield* validateTopologyAnnotations(service)
  if (!spec.ports?.length && !isDeclaredHeadless(service) && spec.type !== 'ExternalName')
    yield field.required(portsPath)
  if (spec.type === 'ExternalName') yield* validateExternalName(service)
  else yield* validateAddressOfType(service)
  yield* validateServicePorts(spec.ports, portsPath)
  yield* validateLabels(spec.selector, specPath.child('selector'))
  yield* validateSessionAffinity(service)
  yield* validateClusterIps(service, old)
  yield* validateExternalIps(service, old)
  yield* validateType(service)
  if (spec.type === 'ClusterIP') yield* validateNoNodePorts(spec, portsPath)
  yield* validateDistinctPorts(spec, portsPath)
  yield* validateSourceRanges(service, old)
  yield* validateNodePortAllocation(service)
  yield* validateLoadBalancerClass(service)
  yield* validateExternalTraffic(service)
  yield* validateInternalTraffic(service)
  yield* validateTrafficDistribution(service)
}

/** Validates an update of a service. */
export function* validateServiceUpdate(service: Service, old: Service): Iterable<field.FieldError> {
  yield* validateClusterIpsUpdate(service, old)
  yield* validateFamiliesUpdate(service, old)
  yield* validateLoadBalancerClass(service, old)
  yield* validateHealthCheckPortUpdate(service, old)
  yield* validateService(service, old)
}

export const topologyHints = 'service.kubernetes.io/topology-aware-hints'
export const topologyMode = 'service.kubernetes.io/topology-mode'

function* validateTopologyAnnotations({ metadata: { annotations = {} } }: Service): Iterable<field.FieldError> {
  const { [topologyHints]: hints, [topologyMode]: mode } = annotations
  if (hints === undefined || mode === undefined || hints === mode) return
  const path = fieldPath('metadata', 'annotations').key(topologyMode)
  yield field.invalid(path, mode, `must match annotations[${topologyHints}] when both are specified`)
}

function* validateAddressOfType(service: Service): Iterable<field.FieldError> {
  const { type } = service.spec
  if ((type !== 'LoadBalancer' && type !== 'NodePort') || !isDeclaredHeadless(service)) return
  yield field.invalid(
    specPath.child('clusterIPs').index(0),
    service.spec.clusterIPs![0],
    `may not be set to 'None' for ${type} services`,
  )
}

const notForExternalNames = 'may not be set for ExternalName services'

/** The name may end in a dot. */
function* validateExternalName({ spec }: Service): Iterable<field.FieldError> {
  const { clusterIPs, ipFamilies, ipFamilyPolicy, externalName = '' } = spec
  if (clusterIPs?.length) yield field.forbidden(specPath.child('clusterIPs'), notForExternalNames)
  if (ipFamilies?.length) yield field.forbidden(specPath.child('ipFamilies'), notForExternalNames)
  if (ipFamilyPolicy !== undefined) yield field.forbidden(specPath.child('ipFamilyPolicy'), notForExternalNames)
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName
  const path = specPath.child('externalName')
  if (name === '') yield field.required(path)
  else yield* field.invalidForEach(path, name, dnsSubdomain(name))
}

function* validateExternalIps({ spec }: Service, old?: Service): Iterable<field.FieldError> {
  const path = specPath.child('externalIPs')
  for (const [i, ip] of (spec.externalIPs ?? []).entries()) {
    const errors = validateLegacyIp(ip, path.index(i), old?.spec.externalIPs)
    yield* errors.length > 0 ? errors : validateNonSpecialIp(ip, path.index(i))
  }
}

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] as const

function* validateType({ spec: { type } }: Service): Iterable<field.FieldError> {
  if (!type) yield field.required(specPath.child('type'))
  else if (!types.includes(type)) yield field.notSupported(specPath.child('type'), type, types)
}

const ingressPath = fieldPath('status', 'loadBalancer', 'ingress')

/** Validates the status of a service. */
export function* validateServiceStatus({ spec, status }: Service, old: Service): Iterable<field.FieldError> {
  const ingress = status.loadBalancer?.ingress ?? []
  if (spec.type !== 'LoadBalancer') {
    if (ingress.length > 0) yield field.forbidden(ingressPath, "may only be used when `spec.type` is 'LoadBalancer'")
    return
  }
  const before = old.status.loadBalancer?.ingress
  for (const [i, address] of ingress.entries()) {
    const path = ingressPath.index(i)
    yield* validateBalancerIp(address, path, before)
    yield* validateIpMode(address, path)
    yield* validateBalancerHostname(address, path)
  }
}

function* validateIpMode({ ip = '', ipMode }: LoadBalancerIngress, addressPath: FieldPath): Iterable<field.FieldError> {
  const path = addressPath.child('ipMode')
  if (ipMode === undefined) {
    if (ip !== '') yield field.required(path, 'must be specified when `ip` is set')
  } else if (ip === '') yield field.forbidden(path, 'may not be specified when `ip` is not set')
  else if (ipMode !== 'VIP' && ipMode !== 'Proxy') yield field.notSupported(path, ipMode, ['Proxy', 'VIP'])
}

/** Validates each port. Several ports need distinct names. */
export function* validateServicePorts(ports: readonly ServicePort[] = [], path: FieldPath): Iterable<field.FieldError> {
  const names = new Set<string>()
  for (const [i, port] of ports.entries()) yield* validateServicePort(port, path.index(i), names, ports.length > 1)
}

function* validateServicePort(
  port: ServicePort,
  path: FieldPath,
  names: Set<string>,
  isNameRequired: boolean,
): Iterable<field.FieldError> {
  const { name = '', targetPort = 0, appProtocol } = port
  if (name !== '') {
    yield* field.invalidForEach(path.child('name'), name, dnsLabel(name))
    if (names.has(name)) yield field.duplicate(path.child('name'), name)
    names.add(name)
  } else if (isNameRequired) yield field.required(path.child('name'))
  yield* validatePortNumber(port.port, path.child('port'))
  yield* validateProtocol(port.protocol, path.child('protocol'))
  yield* validatePortNumberOrName(targetPort, path.child('targetPort'))
  if (appProtocol !== undefined)
    yield* field.invalidForEach(path.child('appProtocol'), appProtocol, labelKey(appProtocol))
}

export function* validateNoNodePorts({ ports = [] }: ServiceSpec, path: FieldPath): Iterable<field.FieldError> {
  for (const [i, { nodePort }] of ports.entries())
    if (nodePort) yield field.forbidden(path.index(i).child('nodePort'), "may not be used when `type` is 'ClusterIP'")
}

/** Rejects duplicate ports of a protocol. Duplicate node ports are detected by the allocation. */
export function* validateDistinctPorts({ ports = [] }: ServiceSpec, path: FieldPath): Iterable<field.FieldError> {
  const seen = new Set<string>()
  for (const [i, { port, protocol = '' }] of ports.entries()) {
    const key = `${protocol}/${port}`
    if (seen.has(key)) yield field.duplicate(path.index(i), shownPair(port, protocol))
    seen.add(key)
  }
}

/** A port with only its number and protocol, in the form of upstream's messages. */
function shownPair(port: number, protocol: string): object {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }
}
