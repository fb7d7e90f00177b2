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
  time,
  type Values,
} from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import { ConditionStatus } from '../condition-status.js'

export const NodeConfigSource = schema('core/v1.NodeConfigSource', {
  optional: {
    configMap: ref<ConfigMapNodeConfigSource>(2, 'core/v1.ConfigMapNodeConfigSource'),
  },
})
export interface NodeConfigSource extends Infer<typeof NodeConfigSource> {}

export const ConfigMapNodeConfigSource = schema('core/v1.ConfigMapNodeConfigSource', {
  required: {
    namespace: string(1),
    name: string(2),
    kubeletConfigKey: string(5),
  },
  optional: {
    uid: string(3, { goType: 'types.UID' }),
    resourceVersion: string(4),
  },
})
export interface ConfigMapNodeConfigSource extends Infer<typeof ConfigMapNodeConfigSource> {}

export const NodeAddressType = openEnumeration('core/v1.NodeAddressType', [
  'Hostname',
  'InternalIP',
  'ExternalIP',
  'InternalDNS',
  'ExternalDNS',
])
export type NodeAddressType = Values<typeof NodeAddressType>

export const NodeConditionType = openEnumeration('core/v1.NodeConditionType', [
  'Ready',
  'MemoryPressure',
  'DiskPressure',
  'PIDPressure',
  'NetworkUnavailable',
])
export type NodeConditionType = Values<typeof NodeConditionType>

export const NodePhase = enumeration('core/v1.NodePhase', ['Pending', 'Running', 'Terminated'])
export type NodePhase = Values<typeof NodePhase>

export const NodeStatus = schema('core/v1.NodeStatus', {
  optional: {
    capacity: map(1, quantity, { goType: 'v1.ResourceList' }),
    allocatable: map(2, quantity, { goType: 'v1.ResourceList' }),
    phase: oneOf(3, NodePhase),
    conditions: list(4, ref<NodeCondition>('core/v1.NodeCondition'), { keys: ['type'], mergeKey: 'type' }),
    addresses: list(5, ref<NodeAddress>('core/v1.NodeAddress'), { keys: ['type'], mergeKey: 'type' }),
    daemonEndpoints: ref<NodeDaemonEndpoints>(6, 'core/v1.NodeDaemonEndpoints', { always: true }),
    nodeInfo: ref<NodeSystemInfo>(7, 'core/v1.NodeSystemInfo', { always: true }),
    images: list(8, ref<ContainerImage>('core/v1.ContainerImage')),
    volumesInUse: list(9, string, { goType: '[]v1.UniqueVolumeName' }),
    volumesAttached: list(10, ref<AttachedVolume>('core/v1.AttachedVolume')),
    config: ref<NodeConfigStatus>(11, 'core/v1.NodeConfigStatus'),
    runtimeHandlers: list(12, ref<NodeRuntimeHandler>('core/v1.NodeRuntimeHandler')),
    features: ref<NodeFeatures>(13, 'core/v1.NodeFeatures'),
    declaredFeatures: list(14, string),
  },
})
export interface NodeStatus extends Infer<typeof NodeStatus> {}

export const NodeAddress = schema('core/v1.NodeAddress', {
  required: {
    type: oneOf(1, NodeAddressType),
    address: string(2),
  },
})
export interface NodeAddress extends Infer<typeof NodeAddress> {}

export const NodeCondition = schema('core/v1.NodeCondition', {
  required: {
    type: oneOf(1, NodeConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastHeartbeatTime: time(3, { always: true }),
    lastTransitionTime: time(4, { always: true }),
    reason: string(5),
    message: string(6),
  },
})
export interface NodeCondition extends Infer<typeof NodeCondition> {}

export const NodeConfigStatus = schema('core/v1.NodeConfigStatus', {
  optional: {
    assigned: ref<NodeConfigSource>(1, 'core/v1.NodeConfigSource'),
    active: ref<NodeConfigSource>(2, 'core/v1.NodeConfigSource'),
    lastKnownGood: ref<NodeConfigSource>(3, 'core/v1.NodeConfigSource'),
    error: string(4),
  },
})
export interface NodeConfigStatus extends Infer<typeof NodeConfigStatus> {}

export const NodeDaemonEndpoints = schema('core/v1.NodeDaemonEndpoints', {
  optional: {
    kubeletEndpoint: ref<DaemonEndpoint>(1, 'core/v1.DaemonEndpoint', { always: true }),
  },
})
export interface NodeDaemonEndpoints extends Infer<typeof NodeDaemonEndpoints> {}

export const DaemonEndpoint = schema('core/v1.DaemonEndpoint', {
  required: {
    Port: int32(1),
  },
})
export interface DaemonEndpoint extends Infer<typeof DaemonEndpoint> {}

export const NodeFeatures = schema('core/v1.NodeFeatures', {
  optional: {
    supplementalGroupsPolicy: bool(1, { keepZero: true }),
  },
})
export interface NodeFeatures extends Infer<typeof NodeFeatures> {}

export const ContainerImage = schema('core/v1.ContainerImage', {
  optional: {
    names: list(1, string, { always: true }),
    sizeBytes: int64(2),
  },
})
export interface ContainerImage extends Infer<typeof ContainerImage> {}

export const NodeSystemInfo = schema('core/v1.NodeSystemInfo', {
  required: {
    machineID: string(1),
    systemUUID: string(2),
    bootID: string(3),
    kernelVersion: string(4),
    osImage: string(5),
    containerRuntimeVersion: string(6),
    kubeletVersion: string(7),
    kubeProxyVersion: string(8),
    operatingSystem: string(9),
    architecture: string(10),
  },
  optional: {
    swap: ref<NodeSwapStatus>(11, 'core/v1.NodeSwapStatus'),
  },
})
export interface NodeSystemInfo extends Infer<typeof NodeSystemInfo> {}

export const NodeSwapStatus = schema('core/v1.NodeSwapStatus', {
  optional: {
    capacity: int64(1, { keepZero: true }),
  },
})
export interface NodeSwapStatus extends Infer<typeof NodeSwapStatus> {}

export const NodeRuntimeHandler = schema('core/v1.NodeRuntimeHandler', {
  optional: {
    name: string(1, { always: true }),
    features: ref<NodeRuntimeHandlerFeatures>(2, 'core/v1.NodeRuntimeHandlerFeatures'),
  },
})
export interface NodeRuntimeHandler extends Infer<typeof NodeRuntimeHandler> {}

export const NodeRuntimeHandlerFeatures = schema('core/v1.NodeRuntimeHandlerFeatures', {
  optional: {
    recursiveReadOnlyMounts: bool(1, { keepZero: true }),
    userNamespaces: bool(2, { keepZero: true }),
  },
})
export interface NodeRuntimeHandlerFeatures extends Infer<typeof NodeRuntimeHandlerFeatures> {}

export const AttachedVolume = schema('core/v1.AttachedVolume', {
  required: {
    name: string(1, { goType: 'v1.UniqueVolumeName' }),
    devicePath: string(2),
  },
})
export interface AttachedVolume extends Infer<typeof AttachedVolume> {}
