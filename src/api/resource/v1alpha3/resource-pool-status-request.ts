import { int32, int64, list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ResourcePoolStatusRequest = kind('resource/v1alpha3.ResourcePoolStatusRequest', {
  required: {
    metadata: objectMetadata,
    spec: ref<ResourcePoolStatusRequestSpec>(2, 'resource/v1alpha3.ResourcePoolStatusRequestSpec'),
  },
  optional: {
    status: ref<ResourcePoolStatusRequestStatus>(3, 'resource/v1alpha3.ResourcePoolStatusRequestStatus'),
  },
  listed: true,
})
export interface ResourcePoolStatusRequest extends Instance<typeof ResourcePoolStatusRequest> {}

export const ResourcePoolStatusRequestSpec = schema('resource/v1alpha3.ResourcePoolStatusRequestSpec', {
  required: {
    driver: string(1),
  },
  optional: {
    poolName: string(2, { keepZero: true }),
    limit: int32(3, { default: 100, keepZero: true }),
  },
})
export interface ResourcePoolStatusRequestSpec extends Infer<typeof ResourcePoolStatusRequestSpec> {}

export const ResourcePoolStatusRequestStatus = schema('resource/v1alpha3.ResourcePoolStatusRequestStatus', {
  required: {
    poolCount: int32(6, { always: false, keepZero: true }),
  },
  optional: {
    pools: list(2, ref<PoolStatus>('resource/v1alpha3.PoolStatus')),
    conditions: list(3, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface ResourcePoolStatusRequestStatus extends Infer<typeof ResourcePoolStatusRequestStatus> {}

export const PoolStatus = schema('resource/v1alpha3.PoolStatus', {
  required: {
    driver: string(1, { always: false }),
    poolName: string(2, { always: false }),
    generation: int64(9),
  },
  optional: {
    nodeName: string(3, { keepZero: true }),
    totalDevices: int32(4, { keepZero: true }),
    allocatedDevices: int32(5, { keepZero: true }),
    availableDevices: int32(6, { keepZero: true }),
    unavailableDevices: int32(7, { keepZero: true }),
    resourceSliceCount: int32(8, { keepZero: true }),
    validationError: string(10, { keepZero: true }),
  },
})
export interface PoolStatus extends Infer<typeof PoolStatus> {}
