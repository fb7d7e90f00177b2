import { declareStrategy } from '../../../schema/strategy.js'
import type { ResourceSlice as StoredSlice } from '../v1/resource-slice.js'
import { ResourceSlice } from './resource-slice.js'

/** In this version what is said about a device stands in an object of its own. */
export const resourceSliceStrategy = declareStrategy<ResourceSlice>(ResourceSlice, {
  stored: {
    type: 'resource/v1.ResourceSlice',
    toStored: ({ spec, ...slice }) => ({
      ...slice,
      spec: {
        ...spec,
        ...(spec.devices && { devices: spec.devices.map(({ name, basic }) => ({ name, ...basic })) }),
      },
    }),
    fromStored: ({ spec, ...slice }: StoredSlice) => ({
      ...slice,
      spec: {
        ...spec,
        ...(spec.devices && { devices: spec.devices.map(({ name, ...basic }) => ({ name, basic })) }),
      },
    }),
  },
})
