import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { DeviceTaint } from '../v1/resource-slice.js'

export const DeviceTaintRule = kind('resource/v1beta2.DeviceTaintRule', {
  required: {
    spec: ref<DeviceTaintRuleSpec>(2, 'resource/v1beta2.DeviceTaintRuleSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<DeviceTaintRuleStatus>(3, 'resource/v1beta2.DeviceTaintRuleStatus', { always: true }),
  },
  listed: true,
})
export interface DeviceTaintRule extends Instance<typeof DeviceTaintRule> {}

export const DeviceTaintRuleSpec = schema('resource/v1beta2.DeviceTaintRuleSpec', {
  required: {
    taint: ref<DeviceTaint>(2, 'resource/v1beta2.DeviceTaint'),
  },
  optional: {
    deviceSelector: ref<DeviceTaintSelector>(1, 'resource/v1beta2.DeviceTaintSelector'),
  },
})
export interface DeviceTaintRuleSpec extends Infer<typeof DeviceTaintRuleSpec> {}

export const DeviceTaintSelector = schema('resource/v1beta2.DeviceTaintSelector', {
  optional: {
    driver: string(2, { keepZero: true }),
    pool: string(3, { keepZero: true }),
    device: string(4, { keepZero: true }),
  },
})
export interface DeviceTaintSelector extends Infer<typeof DeviceTaintSelector> {}

export const DeviceTaintRuleStatus = schema('resource/v1beta2.DeviceTaintRuleStatus', {
  optional: {
    conditions: list(1, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface DeviceTaintRuleStatus extends Infer<typeof DeviceTaintRuleStatus> {}
