import { rawExtension, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const DeviceSelector = schema('resource/v1beta1.DeviceSelector', {
  optional: {
    cel: ref<CELDeviceSelector>(1, 'resource/v1beta1.CELDeviceSelector'),
  },
})
export interface DeviceSelector extends Infer<typeof DeviceSelector> {}

export const CELDeviceSelector = schema('resource/v1beta1.CELDeviceSelector', {
  required: {
    expression: string(1),
  },
})
export interface CELDeviceSelector extends Infer<typeof CELDeviceSelector> {}

export const OpaqueDeviceConfiguration = schema('resource/v1beta1.OpaqueDeviceConfiguration', {
  required: {
    driver: string(1),
    parameters: rawExtension(2),
  },
})
export interface OpaqueDeviceConfiguration extends Infer<typeof OpaqueDeviceConfiguration> {}
