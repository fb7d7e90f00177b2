import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { DeviceClass } from './device-class.js'

export const deviceClassStrategy = declareStrategy<DeviceClass>(DeviceClass, {
  stored: sameForm('resource/v1.DeviceClass'),
})
