import {
  bool,
  enumeration,
  int32,
  int64,
  list,
  map,
  oneOf,
  openEnumeration,
  quantity,
  ref,
  string,
  type Values,
} from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import type { LabelSelector } from '../../../meta/v1/label-selector.js'
import type { Affinity } from '../affinity.js'
import type { EphemeralContainer } from '../container/ephemeral-container.js'
import type { Container } from '../container.js'
import type { LocalObjectReference } from '../object-reference.js'
import type { ResourceRequirements } from '../resource-requirements.js'
import type { PodSecurityContext } from '../security-context.js'
import type { Toleration } from '../taint.js'
import type { Volume } from '../volume.js'

export const PodConditionType = openEnumeration('core/v1.PodConditionType', [
  'ContainersReady',
  'Initialized',
  'Ready',
  'PodScheduled',
  'DisruptionTarget',
  'PodReadyToStartContainers',
  'PodResizePending',
  'PodResizeInProgress',
  'AllContainersRestarting',
])
export type PodConditionType = Values<typeof PodConditionType>

export const OSName = openEnumeration('core/v1.OSName', ['linux', 'windows'])
export type OSName = Values<typeof OSName>

export const RestartPolicy = enumeration('core/v1.RestartPolicy', ['Always', 'OnFailure', 'Never'])
export type RestartPolicy = Values<typeof RestartPolicy>

export const DNSPolicy = enumeration('core/v1.DNSPolicy', [
  'ClusterFirstWithHostNet',
  'ClusterFirst',
  'Default',
  'None',
])
export type DNSPolicy = Values<typeof DNSPolicy>

export const PreemptionPolicy = enumeration('core/v1.PreemptionPolicy', ['PreemptLowerPriority', 'Never'])
export type PreemptionPolicy = Values<typeof PreemptionPolicy>

export const UnsatisfiableConstraintAction = enumeration('core/v1.UnsatisfiableConstraintAction', [
  'DoNotSchedule',
  'ScheduleAnyway',
])
export type UnsatisfiableConstraintAction = Values<typeof UnsatisfiableConstraintAction>

export const NodeInclusionPolicy = enumeration('core/v1.NodeInclusionPolicy', ['Ignore', 'Honor'])
export type NodeInclusionPolicy = Values<typeof NodeInclusionPolicy>

export const PodSpec = schema('core/v1.PodSpec', {
  required: {
    containers: list(2, ref<Container>('core/v1.Container'), { keys: ['name'], mergeKey: 'name' }),
  },
  optional: {
    volumes: list(1, ref<Volume>('core/v1.Volume'), { keys: ['name'], mergeKey: 'name', patch: 'merge,retainKeys' }),
    restartPolicy: oneOf(3, RestartPolicy, { default: 'Always' }),
    terminationGracePeriodSeconds: int64(4, { default: 30, keepZero: true }),
    activeDeadlineSeconds: int64(5, { keepZero: true }),
    dnsPolicy: oneOf(6, DNSPolicy, { default: 'ClusterFirst' }),
    nodeSelector: map(7, string, { atomic: true }),
    serviceAccountName: string(8),
    serviceAccount: string(9),
    nodeName: string(10),
    hostNetwork: bool(11),
    hostPID: bool(12),
    hostIPC: bool(13),
    securityContext: ref<PodSecurityContext>(14, 'core/v1.PodSecurityContext', { default: {} }),
    imagePullSecrets: list(15, ref<LocalObjectReference>('core/v1.LocalObjectReference'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
    hostname: string(16),
    subdomain: string(17),
    affinity: ref<Affinity>(18, 'core/v1.Affinity'),
    schedulerName: string(19, { default: 'default-scheduler' }),
    initContainers: list(20, ref<Container>('core/v1.Container'), { keys: ['name'], mergeKey: 'name' }),
    automountServiceAccountToken: bool(21, { keepZero: true }),
    tolerations: list(22, ref<Toleration>('core/v1.Toleration')),
    hostAliases: list(23, ref<HostAlias>('core/v1.HostAlias'), { keys: ['ip'], mergeKey: 'ip' }),
    priorityClassName: string(24),
    priority: int32(25, { keepZero: true }),
    dnsConfig: ref<PodDNSConfig>(26, 'core/v1.PodDNSConfig'),
    shareProcessNamespace: bool(27, { keepZero: true }),
    readinessGates: list(28, ref<PodReadinessGate>('core/v1.PodReadinessGate')),
    runtimeClassName: string(29, { keepZero: true }),
    enableServiceLinks: bool(30, { keepZero: true }),
    preemptionPolicy: oneOf(31, PreemptionPolicy, { keepZero: true }),
    overhead: map(32, quantity, { goType: 'v1.ResourceList' }),
    topologySpreadConstraints: list(33, ref<TopologySpreadConstraint>('core/v1.TopologySpreadConstraint'), {
      keys: ['topologyKey', 'whenUnsatisfiable'],
      mergeKey: 'topologyKey',
    }),
    ephemeralContainers: list(34, ref<EphemeralContainer>('core/v1.EphemeralContainer'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
    setHostnameAsFQDN: bool(35, { keepZero: true }),
    os: ref<PodOS>(36, 'core/v1.PodOS'),
    hostUsers: bool(37, { keepZero: true }),
    schedulingGates: list(38, ref<PodSchedulingGate>('core/v1.PodSchedulingGate'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
    resourceClaims: list(39, ref<PodResourceClaim>('core/v1.PodResourceClaim'), {
      keys: ['name'],
      mergeKey: 'name',
      patch: 'merge,retainKeys',
    }),
    resources: ref<ResourceRequirements>(40, 'core/v1.ResourceRequirements'),
    hostnameOverride: string(41, { keepZero: true }),
    schedulingGroup: ref<PodSchedulingGroup>(43, 'core/v1.PodSchedulingGroup'),
  },
})
export interface PodSpec extends Infer<typeof PodSpec> {}

export const PodDNSConfig = schema('core/v1.PodDNSConfig', {
  optional: {
    nameservers: list(1, string),
    searches: list(2, string),
    options: list(3, ref<PodDNSConfigOption>('core/v1.PodDNSConfigOption')),
  },
})
export interface PodDNSConfig extends Infer<typeof PodDNSConfig> {}

export const PodDNSConfigOption = schema('core/v1.PodDNSConfigOption', {
  optional: {
    name: string(1),
    value: string(2, { keepZero: true }),
  },
})
export interface PodDNSConfigOption extends Infer<typeof PodDNSConfigOption> {}

export const HostAlias = schema('core/v1.HostAlias', {
  required: {
    ip: string(1),
  },
  optional: {
    hostnames: list(2, string),
  },
})
export interface HostAlias extends Infer<typeof HostAlias> {}

export const PodOS = schema('core/v1.PodOS', {
  required: {
    name: oneOf(1, OSName),
  },
})
export interface PodOS extends Infer<typeof PodOS> {}

export const PodReadinessGate = schema('core/v1.PodReadinessGate', {
  required: {
    conditionType: oneOf(1, PodConditionType),
  },
})
export interface PodReadinessGate extends Infer<typeof PodReadinessGate> {}

export const PodResourceClaim = schema('core/v1.PodResourceClaim', {
  required: {
    name: string(1),
  },
  optional: {
    resourceClaimName: string(3, { keepZero: true }),
    resourceClaimTemplateName: string(4, { keepZero: true }),
  },
})
export interface PodResourceClaim extends Infer<typeof PodResourceClaim> {}

export const PodSchedulingGate = schema('core/v1.PodSchedulingGate', {
  required: {
    name: string(1),
  },
})
export interface PodSchedulingGate extends Infer<typeof PodSchedulingGate> {}

export const PodSchedulingGroup = schema('core/v1.PodSchedulingGroup', {
  optional: {
    podGroupName: string(1, { keepZero: true }),
  },
  unions: [{ fields: ['podGroupName'] }],
})
export interface PodSchedulingGroup extends Infer<typeof PodSchedulingGroup> {}

export const TopologySpreadConstraint = schema('core/v1.TopologySpreadConstraint', {
  required: {
    maxSkew: int32(1),
    topologyKey: string(2),
    whenUnsatisfiable: oneOf(3, UnsatisfiableConstraintAction),
  },
  optional: {
    labelSelector: ref<LabelSelector>(4, 'meta/v1.LabelSelector'),
    minDomains: int32(5, { keepZero: true }),
    nodeAffinityPolicy: oneOf(6, NodeInclusionPolicy, { keepZero: true }),
    nodeTaintsPolicy: oneOf(7, NodeInclusionPolicy, { keepZero: true }),
    matchLabelKeys: list(8, string),
  },
})
export interface TopologySpreadConstraint extends Infer<typeof TopologySpreadConstraint> {}
