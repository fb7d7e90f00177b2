import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { validateLabels } from '../../../metadata/labels.js'
import { validateLegacyIp, validateNonSpecialIp } from '../../../validation/addresses.js'
import type { LoadBalancerIngress, Service } from '../service.js'
import { validateClusterIps, validateClusterIpsUpdate, validateFamiliesUpdate } from './address-validation.js'
import { validateBalancerHostname, validateBalancerIp } from './load-balancer-validation.js'
import { validateDistinctPorts, validateNoNodePorts, validateServicePorts } from './port-validation.js'
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
import { isHeadless } from './types.js'

const specPath = fieldPath('spec')
const portsPath = specPath.child('ports')

/** What is wrong with a service; `old` is what it replaces, whose addresses are not looked at again. */
export function* validateService(service: Service, old?: Service): Iterable<field.FieldError> {
  const { spec } = service
  yield* validateTopologyAnnotations(service)
  if (!spec.ports?.length && !isHeadless(service) && spec.type !== 'ExternalName') yield field.required(portsPath)
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

/** What is wrong with a change of one. */
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
  if ((type !== 'LoadBalancer' && type !== 'NodePort') || !isHeadless(service)) return
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

/** What is wrong with what a load balancer says of itself. */
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
