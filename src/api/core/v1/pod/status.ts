import {
  enumeration,
  int64,
  list,
  map,
  oneOf,
  openEnumeration,
  quantity,
  ref,
  string,
  time,
  type Values,
} from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import { ConditionStatus } from '../condition-status.js'
import type { ContainerStatus } from '../container/status.js'
import type { ResourceRequirements } from '../resource-requirements.js'
import { PodConditionType } from './spec.js'

export const PodPhase = enumeration('core/v1.PodPhase', ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'])
export type PodPhase = Values<typeof PodPhase>

export const PodQOSClass = enumeration('core/v1.PodQOSClass', ['Guaranteed', 'Burstable', 'BestEffort'])
export type PodQOSClass = Values<typeof PodQOSClass>

export const PodResizeStatus = openEnumeration('core/v1.PodResizeStatus', ['InProgress', 'Deferred', 'Infeasible'])
export type PodResizeStatus = Values<typeof PodResizeStatus>

export const PodStatus = schema('core/v1.PodStatus', {
  optional: {
    phase: oneOf(1, PodPhase),
    conditions: list(2, ref<PodCondition>('core/v1.PodCondition'), { keys: ['type'], mergeKey: 'type' }),
    message: string(3),
    reason: string(4),
    hostIP: string(5),
    podIP: string(6),
    startTime: time(7),
    containerStatuses: list(8, ref<ContainerStatus>('core/v1.ContainerStatus')),
    qosClass: oneOf(9, PodQOSClass),
    initContainerStatuses: list(10, ref<ContainerStatus>('core/v1.ContainerStatus')),
    nominatedNodeName: string(11),
    podIPs: list(12, ref<PodIP>('core/v1.PodIP'), { keys: ['ip'], mergeKey: 'ip' }),
    ephemeralContainerStatuses: list(13, ref<ContainerStatus>('core/v1.ContainerStatus')),
    resize: oneOf(14, PodResizeStatus),
    resourceClaimStatuses: list(15, ref<PodResourceClaimStatus>('core/v1.PodResourceClaimStatus'), {
      keys: ['name'],
      mergeKey: 'name',
      patch: 'merge,retainKeys',
    }),
    hostIPs: list(16, ref<HostIP>('core/v1.HostIP'), { mergeKey: 'ip' }),
    observedGeneration: int64(17),
    extendedResourceClaimStatus: ref<PodExtendedResourceClaimStatus>(18, 'core/v1.PodExtendedResourceClaimStatus'),
    allocatedResources: map(19, quantity, { goType: 'v1.ResourceList' }),
    resources: ref<ResourceRequirements>(20, 'core/v1.ResourceRequirements'),
    nodeAllocatableResourceClaimStatuses: list(
      21,
      ref<NodeAllocatableResourceClaimStatus>('core/v1.NodeAllocatableResourceClaimStatus'),
    ),
  },
})
export interface PodStatus extends Infer<typeof PodStatus> {}

export const PodCondition = schema('core/v1.PodCondition', {
  required: {
    type: oneOf(1, PodConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastProbeTime: time(3, { always: true }),
    lastTransitionTime: time(4, { always: true }),
    reason: string(5),
    message: string(6),
    observedGeneration: int64(7),
  },
})
export interface PodCondition extends Infer<typeof PodCondition> {}

export const PodExtendedResourceClaimStatus = schema('core/v1.PodExtendedResourceClaimStatus', {
  required: {
    requestMappings: list(1, ref<ContainerExtendedResourceRequest>('core/v1.ContainerExtendedResourceRequest')),
    resourceClaimName: string(2),
  },
})
export interface PodExtendedResourceClaimStatus extends Infer<typeof PodExtendedResourceClaimStatus> {}

export const ContainerExtendedResourceRequest = schema('core/v1.ContainerExtendedResourceRequest', {
  required: {
    containerName: string(1),
    resourceName: string(2),
    requestName: string(3),
  },
})
export interface ContainerExtendedResourceRequest extends Infer<typeof ContainerExtendedResourceRequest> {}

export const HostIP = schema('core/v1.HostIP', {
  required: {
    ip: string(1),
  },
})
export interface HostIP extends Infer<typeof HostIP> {}

export const NodeAllocatableResourceClaimStatus = schema('core/v1.NodeAllocatableResourceClaimStatus', {
  required: {
    resourceClaimName: string(1),
    resources: map(3, quantity, { always: false, goType: 'map[v1.ResourceName]resource.Quantity' }),
  },
  optional: {
    containers: list(2, string, { set: true }),
  },
})
export interface NodeAllocatableResourceClaimStatus extends Infer<typeof NodeAllocatableResourceClaimStatus> {}

export const PodIP = schema('core/v1.PodIP', {
  required: {
    ip: string(1),
  },
})
export interface PodIP extends Infer<typeof PodIP> {}

export const PodResourceClaimStatus = schema('core/v1.PodResourceClaimStatus', {
  required: {
    name: string(1),
  },
  optional: {
    resourceClaimName: string(2, { keepZero: true }),
  },
})
export interface PodResourceClaimStatus extends Infer<typeof PodResourceClaimStatus> {}
