import { rawExtension, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const DeviceSelector = schema('resource/v1beta2.DeviceSelector', {
  optional: {
    cel: ref<CELDeviceSelector>(1, 'resource/v1beta2.CELDeviceSelector'),
  },
})
export interface DeviceSelector extends Infer<typeof DeviceSelector> {}

export const CELDeviceSelector = schema('resource/v1beta2.CELDeviceSelector', {
  required: {
    expression: string(1),
  },
})
export interface CELDeviceSelector extends Infer<typeof CELDeviceSelector> {}

export const OpaqueDeviceConfiguration = schema('resource/v1beta2.OpaqueDeviceConfiguration', {
  required: {
    driver: string(1),
    parameters: rawExtension(2),
  },
})
export interface OpaqueDeviceConfiguration extends Infer<typeof OpaqueDeviceConfiguration> {}
