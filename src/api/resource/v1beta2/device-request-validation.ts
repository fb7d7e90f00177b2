import { declareDefaults } from '../../../schema/schema.js'
import { setCountDefaults } from '../v1/resource-claim/device-claim-validation.js'
import { DeviceSubRequest, ExactDeviceRequest } from './device-request.js'

export const exactDeviceRequestDefaults = declareDefaults<ExactDeviceRequest>(ExactDeviceRequest, setCountDefaults)
export const deviceSubRequestDefaults = declareDefaults<DeviceSubRequest>(DeviceSubRequest, setCountDefaults)
