import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { DeviceTaintRule } from './device-taint-rule.js'

export const deviceTaintRuleStrategy = strategy<DeviceTaintRule>(DeviceTaintRule, {
  stored: sameForm('resource/v1beta2.DeviceTaintRule'),
})
