import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { DeviceClass } from './device-class.js'

export const deviceClassStrategy = strategy<DeviceClass>(DeviceClass, {
  stored: sameForm('resource/v1.DeviceClass'),
})
