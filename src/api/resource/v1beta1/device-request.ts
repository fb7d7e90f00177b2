import {
  bool,
  enumeration,
  int64,
  list,
  map,
  oneOf,
  quantity,
  ref,
  string,
  type Values,
} from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { DeviceSelector, OpaqueDeviceConfiguration } from './device-selector.js'

export const DeviceAllocationMode = enumeration('resource/v1beta1.DeviceAllocationMode', ['ExactCount', 'All'])
export type DeviceAllocationMode = Values<typeof DeviceAllocationMode>

export const DeviceTaintEffect = enumeration('resource/v1beta1.DeviceTaintEffect', ['None', 'NoSchedule', 'NoExecute'])
export type DeviceTaintEffect = Values<typeof DeviceTaintEffect>

export const DeviceTolerationOperator = enumeration('resource/v1beta1.DeviceTolerationOperator', ['Exists', 'Equal'])
export type DeviceTolerationOperator = Values<typeof DeviceTolerationOperator>

export const DeviceClaim = schema('resource/v1beta1.DeviceClaim', {
  optional: {
    requests: list(1, ref<DeviceRequest>('resource/v1beta1.DeviceRequest'), { always: true }),
    constraints: list(2, ref<DeviceConstraint>('resource/v1beta1.DeviceConstraint')),
    config: list(3, ref<DeviceClaimConfiguration>('resource/v1beta1.DeviceClaimConfiguration')),
  },
})
export interface DeviceClaim extends Infer<typeof DeviceClaim> {}

export const DeviceClaimConfiguration = schema('resource/v1beta1.DeviceClaimConfiguration', {
  optional: {
    requests: list(1, string),
    opaque: ref<OpaqueDeviceConfiguration>('2.1', 'resource/v1beta1.OpaqueDeviceConfiguration'),
  },
})
export interface DeviceClaimConfiguration extends Infer<typeof DeviceClaimConfiguration> {}

export const DeviceConstraint = schema('resource/v1beta1.DeviceConstraint', {
  optional: {
    requests: list(1, string),
    matchAttribute: string(2, { keepZero: true, goType: 'v1beta1.FullyQualifiedName' }),
    distinctAttribute: string(3, { keepZero: true, goType: 'v1beta1.FullyQualifiedName' }),
  },
})
export interface DeviceConstraint extends Infer<typeof DeviceConstraint> {}

export const DeviceRequest = schema('resource/v1beta1.DeviceRequest', {
  required: {
    name: string(1),
  },
  optional: {
    deviceClassName: string(2, { always: true }),
    selectors: list(3, ref<DeviceSelector>('resource/v1beta1.DeviceSelector')),
    allocationMode: oneOf(4, DeviceAllocationMode),
    count: int64(5),
    adminAccess: bool(6, { keepZero: true }),
    firstAvailable: list(7, ref<DeviceSubRequest>('resource/v1beta1.DeviceSubRequest')),
    tolerations: list(8, ref<DeviceToleration>('resource/v1beta1.DeviceToleration')),
    capacity: ref<CapacityRequirements>(9, 'resource/v1beta1.CapacityRequirements'),
  },
})
export interface DeviceRequest extends Infer<typeof DeviceRequest> {}

export const CapacityRequirements = schema('resource/v1beta1.CapacityRequirements', {
  optional: {
    requests: map(1, quantity, { goType: 'map[v1beta1.QualifiedName]resource.Quantity' }),
  },
})
export interface CapacityRequirements extends Infer<typeof CapacityRequirements> {}

export const DeviceSubRequest = schema('resource/v1beta1.DeviceSubRequest', {
  required: {
    name: string(1),
    deviceClassName: string(2),
  },
  optional: {
    selectors: list(3, ref<DeviceSelector>('resource/v1beta1.DeviceSelector')),
    allocationMode: oneOf(4, DeviceAllocationMode),
    count: int64(5),
    tolerations: list(7, ref<DeviceToleration>('resource/v1beta1.DeviceToleration')),
    capacity: ref<CapacityRequirements>(8, 'resource/v1beta1.CapacityRequirements'),
  },
})
export interface DeviceSubRequest extends Infer<typeof DeviceSubRequest> {}

export const DeviceToleration = schema('resource/v1beta1.DeviceToleration', {
  optional: {
    key: string(1),
    operator: oneOf(2, DeviceTolerationOperator, { default: 'Equal' }),
    value: string(3),
    effect: oneOf(4, DeviceTaintEffect),
    tolerationSeconds: int64(5, { keepZero: true }),
  },
})
export interface DeviceToleration extends Infer<typeof DeviceToleration> {}
