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
import { DeviceTaintEffect } from './device-taint.js'

export const DeviceAllocationMode = enumeration('resource/v1beta2.DeviceAllocationMode', ['ExactCount', 'All'])
export type DeviceAllocationMode = Values<typeof DeviceAllocationMode>

export const DeviceTolerationOperator = enumeration('resource/v1beta2.DeviceTolerationOperator', ['Exists', 'Equal'])
export type DeviceTolerationOperator = Values<typeof DeviceTolerationOperator>

export const DeviceClaim = schema('resource/v1beta2.DeviceClaim', {
  optional: {
    requests: list(1, ref<DeviceRequest>('resource/v1beta2.DeviceRequest'), { always: true }),
    constraints: list(2, ref<DeviceConstraint>('resource/v1beta2.DeviceConstraint')),
    config: list(3, ref<DeviceClaimConfiguration>('resource/v1beta2.DeviceClaimConfiguration')),
  },
})
export interface DeviceClaim extends Infer<typeof DeviceClaim> {}

export const DeviceClaimConfiguration = schema('resource/v1beta2.DeviceClaimConfiguration', {
  optional: {
    requests: list(1, string),
    opaque: ref<OpaqueDeviceConfiguration>('2.1', 'resource/v1beta2.OpaqueDeviceConfiguration'),
  },
})
export interface DeviceClaimConfiguration extends Infer<typeof DeviceClaimConfiguration> {}

export const DeviceConstraint = schema('resource/v1beta2.DeviceConstraint', {
  optional: {
    requests: list(1, string),
    matchAttribute: string(2, { keepZero: true, goType: 'v1beta2.FullyQualifiedName' }),
    distinctAttribute: string(3, { keepZero: true, goType: 'v1beta2.FullyQualifiedName' }),
  },
})
export interface DeviceConstraint extends Infer<typeof DeviceConstraint> {}

export const DeviceRequest = schema('resource/v1beta2.DeviceRequest', {
  required: {
    name: string(1),
  },
  optional: {
    exactly: ref<ExactDeviceRequest>(2, 'resource/v1beta2.ExactDeviceRequest'),
    firstAvailable: list(3, ref<DeviceSubRequest>('resource/v1beta2.DeviceSubRequest')),
  },
})
export interface DeviceRequest extends Infer<typeof DeviceRequest> {}

export const ExactDeviceRequest = schema('resource/v1beta2.ExactDeviceRequest', {
  required: {
    deviceClassName: string(1),
  },
  optional: {
    selectors: list(2, ref<DeviceSelector>('resource/v1beta2.DeviceSelector')),
    allocationMode: oneOf(3, DeviceAllocationMode),
    count: int64(4),
    adminAccess: bool(5, { keepZero: true }),
    tolerations: list(6, ref<DeviceToleration>('resource/v1beta2.DeviceToleration')),
    capacity: ref<CapacityRequirements>(7, 'resource/v1beta2.CapacityRequirements'),
  },
})
export interface ExactDeviceRequest extends Infer<typeof ExactDeviceRequest> {}

export const CapacityRequirements = schema('resource/v1beta2.CapacityRequirements', {
  optional: {
    requests: map(1, quantity, { goType: 'map[v1beta2.QualifiedName]resource.Quantity' }),
  },
})
export interface CapacityRequirements extends Infer<typeof CapacityRequirements> {}

export const DeviceToleration = schema('resource/v1beta2.DeviceToleration', {
  optional: {
    key: string(1),
    operator: oneOf(2, DeviceTolerationOperator, { default: 'Equal' }),
    value: string(3),
    effect: oneOf(4, DeviceTaintEffect),
    tolerationSeconds: int64(5, { keepZero: true }),
  },
})
export interface DeviceToleration extends Infer<typeof DeviceToleration> {}

export const DeviceSubRequest = schema('resource/v1beta2.DeviceSubRequest', {
  required: {
    name: string(1),
    deviceClassName: string(2),
  },
  optional: {
    selectors: list(3, ref<DeviceSelector>('resource/v1beta2.DeviceSelector')),
    allocationMode: oneOf(4, DeviceAllocationMode),
    count: int64(5),
    tolerations: list(6, ref<DeviceToleration>('resource/v1beta2.DeviceToleration')),
    capacity: ref<CapacityRequirements>(7, 'resource/v1beta2.CapacityRequirements'),
  },
})
export interface DeviceSubRequest extends Infer<typeof DeviceSubRequest> {}
