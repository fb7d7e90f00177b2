import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { DeviceTaintRule } from './device-taint-rule.js'

export const deviceTaintRuleStrategy = declareStrategy<DeviceTaintRule>(DeviceTaintRule, {
  stored: sameForm('resource/v1beta2.DeviceTaintRule'),
})
