import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { ResourceSlice } from './resource-slice.js'

export const resourceSliceStrategy = declareStrategy<ResourceSlice>(ResourceSlice, {
  stored: sameForm('resource/v1.ResourceSlice'),
})
