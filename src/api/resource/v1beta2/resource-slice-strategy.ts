import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { ResourceSlice } from './resource-slice.js'

export const resourceSliceStrategy = strategy<ResourceSlice>(ResourceSlice, {
  stored: sameForm('resource/v1.ResourceSlice'),
})
