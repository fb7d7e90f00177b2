import { internalForm } from '../../../../schema/internal-form.js'
import * as request from '../device-request.js'
import * as selector from '../device-selector.js'
import { ResourceClaimSpec } from '../resource-claim.js'

/** Formats the spec of a claim for messages. */
export const shownClaimSpec = internalForm<ResourceClaimSpec>(
  ResourceClaimSpec,
  request.DeviceClaim,
  request.DeviceRequest,
  request.ExactDeviceRequest,
  request.DeviceSubRequest,
  request.DeviceToleration,
  request.CapacityRequirements,
  request.DeviceConstraint,
  request.DeviceClaimConfiguration,
  selector.DeviceSelector,
  selector.CELDeviceSelector,
  selector.OpaqueDeviceConfiguration,
)
