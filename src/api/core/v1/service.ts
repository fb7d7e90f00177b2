import {
  bool,
  enumeration,
  int32,
  intOrString,
  list,
  map,
  oneOf,
  openEnumeration,
  ref,
  string,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import {
  ageColumn,
  column,
  kind,
  nameColumn,
  objectSubresource,
  proxySubresource,
  schema,
  wideColumn,
} from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { Protocol } from './protocol.js'

export const LoadBalancerIPMode = openEnumeration('core/v1.LoadBalancerIPMode', ['VIP', 'Proxy'])
export type LoadBalancerIPMode = Values<typeof LoadBalancerIPMode>

export const ServiceType = enumeration('core/v1.ServiceType', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'])
export type ServiceType = Values<typeof ServiceType>

export const ServiceAffinity = enumeration('core/v1.ServiceAffinity', ['ClientIP', 'None'])
export type ServiceAffinity = Values<typeof ServiceAffinity>

export const ServiceExternalTrafficPolicy = enumeration('core/v1.ServiceExternalTrafficPolicy', ['Cluster', 'Local'])
export type ServiceExternalTrafficPolicy = Values<typeof ServiceExternalTrafficPolicy>

export const IPFamilyPolicy = enumeration('core/v1.IPFamilyPolicy', [
  'SingleStack',
  'PreferDualStack',
  'RequireDualStack',
])
export type IPFamilyPolicy = Values<typeof IPFamilyPolicy>

export const IPFamily = enumeration('core/v1.IPFamily', ['IPv4', 'IPv6', ''])
export type IPFamily = Values<typeof IPFamily>

export const ServiceInternalTrafficPolicy = enumeration('core/v1.ServiceInternalTrafficPolicy', ['Cluster', 'Local'])
export type ServiceInternalTrafficPolicy = Values<typeof ServiceInternalTrafficPolicy>

export const Service = kind('core/v1.Service', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ServiceSpec>(2, 'core/v1.ServiceSpec', { always: true }),
    status: ref<ServiceStatus>(3, 'core/v1.ServiceStatus', { always: true }),
  },
  resource: {
    plural: 'services',
    returnsDeleted: true,
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    subresources: {
      proxy: proxySubresource('ServiceProxyOptions'),
      status: objectSubresource,
    },
    columns: [
      nameColumn,
      column('Type'),
      column('Cluster-IP'),
      column('External-IP'),
      column('Port(s)'),
      ageColumn,
      wideColumn('Selector'),
    ],
  },
})
export interface Service extends Instance<typeof Service> {}

export const ServiceSpec = schema('core/v1.ServiceSpec', {
  optional: {
    ports: list(1, ref<ServicePort>('core/v1.ServicePort'), { keys: ['port', 'protocol'], mergeKey: 'port' }),
    selector: map(2, string, { atomic: true }),
    clusterIP: string(3),
    type: oneOf(4, ServiceType, { default: 'ClusterIP' }),
    externalIPs: list(5, string),
    sessionAffinity: oneOf(7, ServiceAffinity, { default: 'None' }),
    loadBalancerIP: string(8),
    loadBalancerSourceRanges: list(9, string),
    externalName: string(10),
    externalTrafficPolicy: oneOf(11, ServiceExternalTrafficPolicy),
    healthCheckNodePort: int32(12),
    publishNotReadyAddresses: bool(13),
    sessionAffinityConfig: ref<SessionAffinityConfig>(14, 'core/v1.SessionAffinityConfig'),
    ipFamilyPolicy: oneOf(17, IPFamilyPolicy, { keepZero: true }),
    clusterIPs: list(18, string),
    ipFamilies: list(19, IPFamily),
    allocateLoadBalancerNodePorts: bool(20, { keepZero: true }),
    loadBalancerClass: string(21, { keepZero: true }),
    internalTrafficPolicy: oneOf(22, ServiceInternalTrafficPolicy, { keepZero: true }),
    trafficDistribution: string(23, { keepZero: true }),
  },
})
export interface ServiceSpec extends Infer<typeof ServiceSpec> {}

export const ServicePort = schema('core/v1.ServicePort', {
  required: {
    port: int32(3),
  },
  optional: {
    name: string(1),
    protocol: oneOf(2, Protocol, { default: 'TCP' }),
    targetPort: intOrString(4, { always: true }),
    nodePort: int32(5),
    appProtocol: string(6, { keepZero: true }),
  },
})
export interface ServicePort extends Infer<typeof ServicePort> {}

export const SessionAffinityConfig = schema('core/v1.SessionAffinityConfig', {
  optional: {
    clientIP: ref<ClientIPConfig>(1, 'core/v1.ClientIPConfig'),
  },
})
export interface SessionAffinityConfig extends Infer<typeof SessionAffinityConfig> {}

export const ClientIPConfig = schema('core/v1.ClientIPConfig', {
  optional: {
    timeoutSeconds: int32(1, { keepZero: true }),
  },
})
export interface ClientIPConfig extends Infer<typeof ClientIPConfig> {}

export const ServiceStatus = schema('core/v1.ServiceStatus', {
  optional: {
    loadBalancer: ref<LoadBalancerStatus>(1, 'core/v1.LoadBalancerStatus', { always: true }),
    conditions: list(2, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface ServiceStatus extends Infer<typeof ServiceStatus> {}

export const LoadBalancerStatus = schema('core/v1.LoadBalancerStatus', {
  optional: {
    ingress: list(1, ref<LoadBalancerIngress>('core/v1.LoadBalancerIngress')),
  },
})
export interface LoadBalancerStatus extends Infer<typeof LoadBalancerStatus> {}

export const LoadBalancerIngress = schema('core/v1.LoadBalancerIngress', {
  optional: {
    ip: string(1),
    hostname: string(2),
    ipMode: oneOf(3, LoadBalancerIPMode, { keepZero: true }),
    ports: list(4, ref<PortStatus>('core/v1.PortStatus')),
  },
})
export interface LoadBalancerIngress extends Infer<typeof LoadBalancerIngress> {}

export const PortStatus = schema('core/v1.PortStatus', {
  required: {
    port: int32(1),
    protocol: oneOf(2, Protocol),
  },
  optional: {
    error: string(3, { keepZero: true }),
  },
})
export interface PortStatus extends Infer<typeof PortStatus> {}
