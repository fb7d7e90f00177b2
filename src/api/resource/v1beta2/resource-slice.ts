import { bool, int64, list, map, quantity, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { NodeSelector } from '../../core/v1/affinity/node-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { DeviceTaint } from './device-taint.js'

export const ResourceSlice = kind('resource/v1beta2.ResourceSlice', {
  required: {
    spec: ref<ResourceSliceSpec>(2, 'resource/v1beta2.ResourceSliceSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  listed: true,
})
export interface ResourceSlice extends Instance<typeof ResourceSlice> {}

export const ResourceSliceSpec = schema('resource/v1beta2.ResourceSliceSpec', {
  required: {
    driver: string(1),
    pool: ref<ResourcePool>(2, 'resource/v1beta2.ResourcePool'),
  },
  optional: {
    nodeName: string(3, { keepZero: true }),
    nodeSelector: ref<NodeSelector>(4, 'core/v1.NodeSelector'),
    allNodes: bool(5, { keepZero: true }),
    devices: list(6, ref<Device>('resource/v1beta2.Device')),
    perDeviceNodeSelection: bool(7, { keepZero: true }),
    sharedCounters: list(8, ref<CounterSet>('resource/v1beta2.CounterSet')),
  },
})
export interface ResourceSliceSpec extends Infer<typeof ResourceSliceSpec> {}

export const Device = schema('resource/v1beta2.Device', {
  required: {
    name: string(1),
  },
  optional: {
    attributes: map(2, ref<DeviceAttribute>('resource/v1beta2.DeviceAttribute'), {
      goType: 'map[v1beta2.QualifiedName]v1beta2.DeviceAttribute',
    }),
    capacity: map(3, ref<DeviceCapacity>('resource/v1beta2.DeviceCapacity'), {
      goType: 'map[v1beta2.QualifiedName]v1beta2.DeviceCapacity',
    }),
    consumesCounters: list(4, ref<DeviceCounterConsumption>('resource/v1beta2.DeviceCounterConsumption')),
    nodeName: string(5, { keepZero: true }),
    nodeSelector: ref<NodeSelector>(6, 'core/v1.NodeSelector'),
    allNodes: bool(7, { keepZero: true }),
    taints: list(8, ref<DeviceTaint>('resource/v1beta2.DeviceTaint')),
    bindsToNode: bool(9, { keepZero: true }),
    bindingConditions: list(10, string),
    bindingFailureConditions: list(11, string),
    allowMultipleAllocations: bool(12, { keepZero: true }),
    nodeAllocatableResourceMappings: map(
      13,
      ref<NodeAllocatableResourceMapping>('resource/v1beta2.NodeAllocatableResourceMapping'),
      { goType: 'map[v1.ResourceName]v1beta2.NodeAllocatableResourceMapping' },
    ),
  },
})
export interface Device extends Infer<typeof Device> {}

export const DeviceAttribute = schema('resource/v1beta2.DeviceAttribute', {
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

export const DeviceCapacity = schema('resource/v1beta2.DeviceCapacity', {
  required: {
    value: quantity(1),
  },
  optional: {
    requestPolicy: ref<CapacityRequestPolicy>(2, 'resource/v1beta2.CapacityRequestPolicy'),
  },
})
export interface DeviceCapacity extends Infer<typeof DeviceCapacity> {}

export const CapacityRequestPolicy = schema('resource/v1beta2.CapacityRequestPolicy', {
  optional: {
    default: quantity(1, { always: 'null' }),
    validValues: list(3, quantity),
    validRange: ref<CapacityRequestPolicyRange>(4, 'resource/v1beta2.CapacityRequestPolicyRange'),
  },
})
export interface CapacityRequestPolicy extends Infer<typeof CapacityRequestPolicy> {}

export const CapacityRequestPolicyRange = schema('resource/v1beta2.CapacityRequestPolicyRange', {
  required: {
    min: quantity(1, { always: false }),
  },
  optional: {
    max: quantity(2),
    step: quantity(3),
  },
})
export interface CapacityRequestPolicyRange extends Infer<typeof CapacityRequestPolicyRange> {}

export const DeviceCounterConsumption = schema('resource/v1beta2.DeviceCounterConsumption', {
  required: {
    counterSet: string(1),
    counters: map(2, ref<Counter>('resource/v1beta2.Counter'), { always: false }),
  },
})
export interface DeviceCounterConsumption extends Infer<typeof DeviceCounterConsumption> {}

export const Counter = schema('resource/v1beta2.Counter', {
  required: {
    value: quantity(1),
  },
})
export interface Counter extends Infer<typeof Counter> {}

export const NodeAllocatableResourceMapping = schema('resource/v1beta2.NodeAllocatableResourceMapping', {
  optional: {
    capacityKey: string(1, { keepZero: true, goType: 'v1beta2.QualifiedName' }),
    allocationMultiplier: quantity(2),
  },
})
export interface NodeAllocatableResourceMapping extends Infer<typeof NodeAllocatableResourceMapping> {}

export const ResourcePool = schema('resource/v1beta2.ResourcePool', {
  required: {
    name: string(1),
    generation: int64(2),
    resourceSliceCount: int64(3),
  },
})
export interface ResourcePool extends Infer<typeof ResourcePool> {}

export const CounterSet = schema('resource/v1beta2.CounterSet', {
  required: {
    name: string(1),
    counters: map(2, ref<Counter>('resource/v1beta2.Counter'), { always: false }),
  },
})
export interface CounterSet extends Infer<typeof CounterSet> {}
