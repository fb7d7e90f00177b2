import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { DeviceSelector, OpaqueDeviceConfiguration } from './device-selector.js'

export const DeviceClass = kind('resource/v1.DeviceClass', {
  required: {
    spec: ref<DeviceClassSpec>(2, 'resource/v1.DeviceClassSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  resource: { plural: 'deviceclasses', returnsDeleted: true },
})
export interface DeviceClass extends Instance<typeof DeviceClass> {}

export const DeviceClassSpec = schema('resource/v1.DeviceClassSpec', {
  optional: {
    selectors: list(1, ref<DeviceSelector>('resource/v1.DeviceSelector')),
    config: list(2, ref<DeviceClassConfiguration>('resource/v1.DeviceClassConfiguration')),
    extendedResourceName: string(4, { keepZero: true }),
  },
})
export interface DeviceClassSpec extends Infer<typeof DeviceClassSpec> {}

export const DeviceClassConfiguration = schema('resource/v1.DeviceClassConfiguration', {
  optional: {
    opaque: ref<OpaqueDeviceConfiguration>('1.1', 'resource/v1.OpaqueDeviceConfiguration'),
  },
})
export interface DeviceClassConfiguration extends Infer<typeof DeviceClassConfiguration> {}
