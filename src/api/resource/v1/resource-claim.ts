import {
  bool,
  enumeration,
  list,
  map,
  oneOf,
  quantity,
  rawExtension,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import type { NodeSelector } from '../../core/v1/affinity/node-selector.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { DeviceClaim, DeviceToleration } from './device-request.js'
import type { OpaqueDeviceConfiguration } from './device-selector.js'

export const AllocationConfigSource = enumeration('resource/v1.AllocationConfigSource', ['FromClass', 'FromClaim'])
export type AllocationConfigSource = Values<typeof AllocationConfigSource>

export const ResourceClaim = kind('resource/v1.ResourceClaim', {
  required: {
    spec: ref<ResourceClaimSpec>(2, 'resource/v1.ResourceClaimSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<ResourceClaimStatus>(3, 'resource/v1.ResourceClaimStatus', { always: true }),
  },
  resource: {
    plural: 'resourceclaims',
    returnsDeleted: true,
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('State'), ageColumn],
  },
})
export interface ResourceClaim extends Instance<typeof ResourceClaim> {}

export const ResourceClaimSpec = schema('resource/v1.ResourceClaimSpec', {
  optional: {
    devices: ref<DeviceClaim>(1, 'resource/v1.DeviceClaim', { always: true }),
  },
})
export interface ResourceClaimSpec extends Infer<typeof ResourceClaimSpec> {}

export const ResourceClaimStatus = schema('resource/v1.ResourceClaimStatus', {
  optional: {
    allocation: ref<AllocationResult>(1, 'resource/v1.AllocationResult'),
    reservedFor: list(2, ref<ResourceClaimConsumerReference>('resource/v1.ResourceClaimConsumerReference'), {
      keys: ['uid'],
      mergeKey: 'uid',
    }),
    devices: list(4, ref<AllocatedDeviceStatus>('resource/v1.AllocatedDeviceStatus'), {
      keys: ['driver', 'device', 'pool', 'shareID'],
    }),
  },
})
export interface ResourceClaimStatus extends Infer<typeof ResourceClaimStatus> {}

export const AllocationResult = schema('resource/v1.AllocationResult', {
  optional: {
    devices: ref<DeviceAllocationResult>(1, 'resource/v1.DeviceAllocationResult', { always: true }),
    nodeSelector: ref<NodeSelector>(3, 'core/v1.NodeSelector'),
    allocationTimestamp: time(5),
  },
})
export interface AllocationResult extends Infer<typeof AllocationResult> {}

export const DeviceAllocationResult = schema('resource/v1.DeviceAllocationResult', {
  optional: {
    results: list(1, ref<DeviceRequestAllocationResult>('resource/v1.DeviceRequestAllocationResult')),
    config: list(2, ref<DeviceAllocationConfiguration>('resource/v1.DeviceAllocationConfiguration')),
  },
})
export interface DeviceAllocationResult extends Infer<typeof DeviceAllocationResult> {}

export const DeviceAllocationConfiguration = schema('resource/v1.DeviceAllocationConfiguration', {
  required: {
    source: oneOf(1, AllocationConfigSource),
  },
  optional: {
    requests: list(2, string),
    opaque: ref<OpaqueDeviceConfiguration>('3.1', 'resource/v1.OpaqueDeviceConfiguration'),
  },
})
export interface DeviceAllocationConfiguration extends Infer<typeof DeviceAllocationConfiguration> {}

export const DeviceRequestAllocationResult = schema('resource/v1.DeviceRequestAllocationResult', {
  required: {
    request: string(1),
    driver: string(2),
    pool: string(3),
    device: string(4),
  },
  optional: {
    adminAccess: bool(5, { keepZero: true }),
    tolerations: list(6, ref<DeviceToleration>('resource/v1.DeviceToleration')),
    bindingConditions: list(7, string),
    bindingFailureConditions: list(8, string),
    shareID: string(9, { keepZero: true, goType: 'types.UID' }),
    consumedCapacity: map(10, quantity, { goType: 'map[v1.QualifiedName]resource.Quantity' }),
  },
})
export interface DeviceRequestAllocationResult extends Infer<typeof DeviceRequestAllocationResult> {}

export const AllocatedDeviceStatus = schema('resource/v1.AllocatedDeviceStatus', {
  required: {
    driver: string(1),
    pool: string(2),
    device: string(3),
  },
  optional: {
    conditions: list(4, ref<Condition>('meta/v1.Condition'), { always: true, keys: ['type'] }),
    data: rawExtension(5),
    networkData: ref<NetworkDeviceData>(6, 'resource/v1.NetworkDeviceData'),
    shareID: string(7, { keepZero: true }),
  },
})
export interface AllocatedDeviceStatus extends Infer<typeof AllocatedDeviceStatus> {}

export const NetworkDeviceData = schema('resource/v1.NetworkDeviceData', {
  optional: {
    interfaceName: string(1),
    ips: list(2, string),
    hardwareAddress: string(3),
  },
})
export interface NetworkDeviceData extends Infer<typeof NetworkDeviceData> {}

export const ResourceClaimConsumerReference = schema('resource/v1.ResourceClaimConsumerReference', {
  required: {
    resource: string(3),
    name: string(4),
    uid: string(5, { goType: 'types.UID' }),
  },
  optional: {
    apiGroup: string(1),
  },
})
export interface ResourceClaimConsumerReference extends Infer<typeof ResourceClaimConsumerReference> {}
