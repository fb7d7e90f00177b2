import { bool, int64, list, map, oneOf, quantity, ref, string, time } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { NodeSelector } from '../../core/v1/affinity/node-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { DeviceTaintEffect } from './device-request.js'

export const ResourceSlice = kind('resource/v1beta1.ResourceSlice', {
  required: {
    spec: ref<ResourceSliceSpec>(2, 'resource/v1beta1.ResourceSliceSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  listed: true,
})
export interface ResourceSlice extends Instance<typeof ResourceSlice> {}

export const ResourceSliceSpec = schema('resource/v1beta1.ResourceSliceSpec', {
  required: {
    driver: string(1),
    pool: ref<ResourcePool>(2, 'resource/v1beta1.ResourcePool'),
  },
  optional: {
    nodeName: string(3),
    nodeSelector: ref<NodeSelector>(4, 'core/v1.NodeSelector'),
    allNodes: bool(5),
    devices: list(6, ref<Device>('resource/v1beta1.Device')),
    perDeviceNodeSelection: bool(7, { keepZero: true }),
    sharedCounters: list(8, ref<CounterSet>('resource/v1beta1.CounterSet')),
  },
})
export interface ResourceSliceSpec extends Infer<typeof ResourceSliceSpec> {}

export const Device = schema('resource/v1beta1.Device', {
  required: {
    name: string(1),
  },
  optional: {
    basic: ref<BasicDevice>(2, 'resource/v1beta1.BasicDevice'),
  },
})
export interface Device extends Infer<typeof Device> {}

export const BasicDevice = schema('resource/v1beta1.BasicDevice', {
  optional: {
    attributes: map(1, ref<DeviceAttribute>('resource/v1beta1.DeviceAttribute'), {
      goType: 'map[v1beta1.QualifiedName]v1beta1.DeviceAttribute',
    }),
    capacity: map(2, ref<DeviceCapacity>('resource/v1beta1.DeviceCapacity'), {
      goType: 'map[v1beta1.QualifiedName]v1beta1.DeviceCapacity',
    }),
    consumesCounters: list(3, ref<DeviceCounterConsumption>('resource/v1beta1.DeviceCounterConsumption')),
    nodeName: string(4, { keepZero: true }),
    nodeSelector: ref<NodeSelector>(5, 'core/v1.NodeSelector'),
    allNodes: bool(6, { keepZero: true }),
    taints: list(7, ref<DeviceTaint>('resource/v1beta1.DeviceTaint')),
    bindsToNode: bool(8, { keepZero: true }),
    bindingConditions: list(9, string),
    bindingFailureConditions: list(10, string),
    allowMultipleAllocations: bool(11, { keepZero: true }),
    nodeAllocatableResourceMappings: map(
      12,
      ref<NodeAllocatableResourceMapping>('resource/v1beta1.NodeAllocatableResourceMapping'),
      { goType: 'map[v1.ResourceName]v1beta1.NodeAllocatableResourceMapping' },
    ),
  },
})
export interface BasicDevice extends Infer<typeof BasicDevice> {}

export const DeviceAttribute = schema('resource/v1beta1.DeviceAttribute', {
  optional: {
    int: int64(2, { keepZero: true }),
    bool: bool(3, { keepZero: true }),
    string: string(4, { keepZero: true }),
    version: string(5, { keepZero: true }),
    ints: list(6, int64),
    bools: list(7, bool),
    strings: list(8, string),
    versions: list(9, string),
  },
})
export interface DeviceAttribute extends Infer<typeof DeviceAttribute> {}

export const DeviceCapacity = schema('resource/v1beta1.DeviceCapacity', {
  required: {
    value: quantity(1),
  },
  optional: {
    requestPolicy: ref<CapacityRequestPolicy>(2, 'resource/v1beta1.CapacityRequestPolicy'),
  },
})
export interface DeviceCapacity extends Infer<typeof DeviceCapacity> {}

export const CapacityRequestPolicy = schema('resource/v1beta1.CapacityRequestPolicy', {
  optional: {
    default: quantity(1, { always: 'null' }),
    validValues: list(3, quantity),
    validRange: ref<CapacityRequestPolicyRange>(4, 'resource/v1beta1.CapacityRequestPolicyRange'),
  },
})
export interface CapacityRequestPolicy extends Infer<typeof CapacityRequestPolicy> {}

export const CapacityRequestPolicyRange = schema('resource/v1beta1.CapacityRequestPolicyRange', {
  required: {
    min: quantity(1, { always: false }),
  },
  optional: {
    max: quantity(2),
    step: quantity(3),
  },
})
export interface CapacityRequestPolicyRange extends Infer<typeof CapacityRequestPolicyRange> {}

export const DeviceCounterConsumption = schema('resource/v1beta1.DeviceCounterConsumption', {
  required: {
    counterSet: string(1),
    counters: map(2, ref<Counter>('resource/v1beta1.Counter'), { always: false }),
  },
})
export interface DeviceCounterConsumption extends Infer<typeof DeviceCounterConsumption> {}

export const Counter = schema('resource/v1beta1.Counter', {
  required: {
    value: quantity(1),
  },
})
export interface Counter extends Infer<typeof Counter> {}

export const NodeAllocatableResourceMapping = schema('resource/v1beta1.NodeAllocatableResourceMapping', {
  optional: {
    capacityKey: string(1, { keepZero: true, goType: 'v1beta1.QualifiedName' }),
    allocationMultiplier: quantity(2),
  },
})
export interface NodeAllocatableResourceMapping extends Infer<typeof NodeAllocatableResourceMapping> {}

export const DeviceTaint = schema('resource/v1beta1.DeviceTaint', {
  required: {
    key: string(1),
    effect: oneOf(3, DeviceTaintEffect),
  },
  optional: {
    value: string(2),
    timeAdded: time(4),
  },
})
export interface DeviceTaint extends Infer<typeof DeviceTaint> {}

export const ResourcePool = schema('resource/v1beta1.ResourcePool', {
  required: {
    name: string(1),
    generation: int64(2),
    resourceSliceCount: int64(3),
  },
})
export interface ResourcePool extends Infer<typeof ResourcePool> {}

export const CounterSet = schema('resource/v1beta1.CounterSet', {
  required: {
    name: string(1),
    counters: map(2, ref<Counter>('resource/v1beta1.Counter'), { always: false }),
  },
})
export interface CounterSet extends Infer<typeof CounterSet> {}
