import { enumeration, int32, intOrString, list, oneOf, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { Protocol } from '../../core/v1/protocol.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const PolicyType = enumeration('networking/v1.PolicyType', ['Ingress', 'Egress'])
export type PolicyType = Values<typeof PolicyType>

export const NetworkPolicy = kind('networking/v1.NetworkPolicy', {
  optional: {
    metadata: objectMetadata,
    spec: ref<NetworkPolicySpec>(2, 'networking/v1.NetworkPolicySpec', { always: true }),
  },
  resource: {
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    namespaced: true,
    columns: [nameColumn, column('Pod-Selector'), ageColumn],
  },
})
export interface NetworkPolicy extends Instance<typeof NetworkPolicy> {}

export const NetworkPolicySpec = schema('networking/v1.NetworkPolicySpec', {
  optional: {
    podSelector: ref<LabelSelector>(1, 'meta/v1.LabelSelector', { always: true }),
    ingress: list(2, ref<NetworkPolicyIngressRule>('networking/v1.NetworkPolicyIngressRule')),
    egress: list(3, ref<NetworkPolicyEgressRule>('networking/v1.NetworkPolicyEgressRule')),
    policyTypes: list(4, PolicyType),
  },
})
export interface NetworkPolicySpec extends Infer<typeof NetworkPolicySpec> {}

export const NetworkPolicyEgressRule = schema('networking/v1.NetworkPolicyEgressRule', {
  optional: {
    ports: list(1, ref<NetworkPolicyPort>('networking/v1.NetworkPolicyPort')),
    to: list(2, ref<NetworkPolicyPeer>('networking/v1.NetworkPolicyPeer')),
  },
})
export interface NetworkPolicyEgressRule extends Infer<typeof NetworkPolicyEgressRule> {}

export const NetworkPolicyPort = schema('networking/v1.NetworkPolicyPort', {
  optional: {
    protocol: oneOf(1, Protocol, { keepZero: true }),
    port: intOrString(2),
    endPort: int32(3, { keepZero: true }),
  },
})
export interface NetworkPolicyPort extends Infer<typeof NetworkPolicyPort> {}

export const NetworkPolicyPeer = schema('networking/v1.NetworkPolicyPeer', {
  optional: {
    podSelector: ref<LabelSelector>(1, 'meta/v1.LabelSelector'),
    namespaceSelector: ref<LabelSelector>(2, 'meta/v1.LabelSelector'),
    ipBlock: ref<IPBlock>(3, 'networking/v1.IPBlock'),
  },
})
export interface NetworkPolicyPeer extends Infer<typeof NetworkPolicyPeer> {}

export const IPBlock = schema('networking/v1.IPBlock', {
  required: {
    cidr: string(1),
  },
  optional: {
    except: list(2, string),
  },
})
export interface IPBlock extends Infer<typeof IPBlock> {}

export const NetworkPolicyIngressRule = schema('networking/v1.NetworkPolicyIngressRule', {
  optional: {
    ports: list(1, ref<NetworkPolicyPort>('networking/v1.NetworkPolicyPort')),
    from: list(2, ref<NetworkPolicyPeer>('networking/v1.NetworkPolicyPeer')),
  },
})
export interface NetworkPolicyIngressRule extends Infer<typeof NetworkPolicyIngressRule> {}
