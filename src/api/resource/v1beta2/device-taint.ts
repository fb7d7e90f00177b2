import { enumeration, oneOf, string, time, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const DeviceTaintEffect = enumeration('resource/v1beta2.DeviceTaintEffect', ['None', 'NoSchedule', 'NoExecute'])
export type DeviceTaintEffect = Values<typeof DeviceTaintEffect>

export const DeviceTaint = schema('resource/v1beta2.DeviceTaint', {
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
