import { declareDefaults } from '../../../schema/schema.js'
import type { DeviceRequest as StoredRequest } from '../v1/device-request.js'
import { setCountDefaults } from '../v1/resource-claim/device-claim-validation.js'
import type { ResourceClaimSpec as StoredSpec } from '../v1/resource-claim.js'
import { DeviceRequest, DeviceSubRequest } from './device-request.js'
import type { ResourceClaimSpec } from './resource-claim.js'

export const deviceSubRequestDefaults = declareDefaults<DeviceSubRequest>(DeviceSubRequest, setCountDefaults)

/** A request without a class has alternatives, or is wrong. */
export const deviceRequestDefaults = declareDefaults<DeviceRequest>(DeviceRequest, (request) => {
  if (request.deviceClassName) setCountDefaults(request)
})

export function toStoredSpec(spec: ResourceClaimSpec): StoredSpec {
  const requests = spec.devices?.requests
  if (!requests) return spec as StoredSpec
  return { ...spec, devices: { ...spec.devices, requests: requests.map(toStoredRequest) } } as StoredSpec
}

function toStoredRequest({ name, firstAvailable, ...exactly }: DeviceRequest): StoredRequest {
  const isExact = Object.values(exactly).some((value) => value !== undefined && value !== '')
  return {
    name,
    ...(isExact && { exactly }),
    ...(firstAvailable && { firstAvailable }),
  } as StoredRequest
}

export function fromStoredSpec(spec: StoredSpec): ResourceClaimSpec {
  const requests = spec.devices?.requests
  if (!requests) return spec as ResourceClaimSpec
  return {
    ...spec,
    devices: { ...spec.devices, requests: requests.map(({ exactly, ...request }) => ({ ...exactly, ...request })) },
  } as ResourceClaimSpec
}
