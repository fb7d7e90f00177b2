import { enumeration, int32, list, oneOf, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import type { TypedLocalObjectReference } from '../../core/v1/object-reference.js'
import { Protocol } from '../../core/v1/protocol.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const PathType = enumeration('networking/v1.PathType', ['Exact', 'Prefix', 'ImplementationSpecific'])
export type PathType = Values<typeof PathType>

export const Ingress = kind('networking/v1.Ingress', {
  optional: {
    metadata: objectMetadata,
    spec: ref<IngressSpec>(2, 'networking/v1.IngressSpec', { always: true }),
    status: ref<IngressStatus>(3, 'networking/v1.IngressStatus', { always: true }),
  },
  resource: {
    plural: 'ingresses',
    shortNames: ['ing'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('Class'), column('Hosts'), column('Address'), column('Ports'), ageColumn],
  },
})
export interface Ingress extends Instance<typeof Ingress> {}

export const IngressSpec = schema('networking/v1.IngressSpec', {
  optional: {
    defaultBackend: ref<IngressBackend>(1, 'networking/v1.IngressBackend'),
    tls: list(2, ref<IngressTLS>('networking/v1.IngressTLS')),
    rules: list(3, ref<IngressRule>('networking/v1.IngressRule')),
    ingressClassName: string(4, { keepZero: true }),
  },
})
export interface IngressSpec extends Infer<typeof IngressSpec> {}

export const IngressBackend = schema('networking/v1.IngressBackend', {
  optional: {
    resource: ref<TypedLocalObjectReference>(3, 'core/v1.TypedLocalObjectReference'),
    service: ref<IngressServiceBackend>(4, 'networking/v1.IngressServiceBackend'),
  },
})
export interface IngressBackend extends Infer<typeof IngressBackend> {}

export const IngressServiceBackend = schema('networking/v1.IngressServiceBackend', {
  required: {
    name: string(1),
  },
  optional: {
    port: ref<ServiceBackendPort>(2, 'networking/v1.ServiceBackendPort', { always: true }),
  },
})
export interface IngressServiceBackend extends Infer<typeof IngressServiceBackend> {}

export const ServiceBackendPort = schema('networking/v1.ServiceBackendPort', {
  optional: {
    name: string(1),
    number: int32(2),
  },
  atomic: true,
})
export interface ServiceBackendPort extends Infer<typeof ServiceBackendPort> {}

export const IngressRule = schema('networking/v1.IngressRule', {
  optional: {
    host: string(1),
    http: ref<HTTPIngressRuleValue>('2.1', 'networking/v1.HTTPIngressRuleValue'),
  },
})
export interface IngressRule extends Infer<typeof IngressRule> {}

export const HTTPIngressRuleValue = schema('networking/v1.HTTPIngressRuleValue', {
  required: {
    paths: list(1, ref<HTTPIngressPath>('networking/v1.HTTPIngressPath')),
  },
})
export interface HTTPIngressRuleValue extends Infer<typeof HTTPIngressRuleValue> {}

export const HTTPIngressPath = schema('networking/v1.HTTPIngressPath', {
  required: {
    backend: ref<IngressBackend>(2, 'networking/v1.IngressBackend'),
    pathType: oneOf(3, PathType, { always: 'null' }),
  },
  optional: {
    path: string(1),
  },
})
export interface HTTPIngressPath extends Infer<typeof HTTPIngressPath> {}

export const IngressTLS = schema('networking/v1.IngressTLS', {
  optional: {
    hosts: list(1, string),
    secretName: string(2),
  },
})
export interface IngressTLS extends Infer<typeof IngressTLS> {}

export const IngressStatus = schema('networking/v1.IngressStatus', {
  optional: {
    loadBalancer: ref<IngressLoadBalancerStatus>(1, 'networking/v1.IngressLoadBalancerStatus', { always: true }),
  },
})
export interface IngressStatus extends Infer<typeof IngressStatus> {}

export const IngressLoadBalancerStatus = schema('networking/v1.IngressLoadBalancerStatus', {
  optional: {
    ingress: list(1, ref<IngressLoadBalancerIngress>('networking/v1.IngressLoadBalancerIngress')),
  },
})
export interface IngressLoadBalancerStatus extends Infer<typeof IngressLoadBalancerStatus> {}

export const IngressLoadBalancerIngress = schema('networking/v1.IngressLoadBalancerIngress', {
  optional: {
    ip: string(1),
    hostname: string(2),
    ports: list(4, ref<IngressPortStatus>('networking/v1.IngressPortStatus')),
  },
})
export interface IngressLoadBalancerIngress extends Infer<typeof IngressLoadBalancerIngress> {}

export const IngressPortStatus = schema('networking/v1.IngressPortStatus', {
  required: {
    port: int32(1),
    protocol: oneOf(2, Protocol),
  },
  optional: {
    error: string(3, { keepZero: true }),
  },
})
export interface IngressPortStatus extends Infer<typeof IngressPortStatus> {}
