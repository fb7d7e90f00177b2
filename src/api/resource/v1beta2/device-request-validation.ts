import { rules } from '../../../schema/rules.js'
import { setCountDefaults } from '../v1/resource-claim/device-claim-validation.js'
import { DeviceSubRequest, ExactDeviceRequest } from './device-request.js'

export const exactDeviceRequestRules = rules<ExactDeviceRequest>(ExactDeviceRequest, { defaults: setCountDefaults })
export const deviceSubRequestRules = rules<DeviceSubRequest>(DeviceSubRequest, { defaults: setCountDefaults })
