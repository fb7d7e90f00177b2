/** Converts the kinds whose form differs from v1, in which they are stored. */
import type * as v1 from '../v1/device-request.js'
import type * as claims from '../v1/resource-claim.js'
import type { ResourceClaimTemplate } from '../v1/resource-claim-template.js'
import type { Device, ResourceSlice } from '../v1/resource-slice.js'

export type DeviceRequest = Pick<v1.DeviceRequest, 'name' | 'firstAvailable'> & Partial<v1.ExactDeviceRequest>

interface ClaimSpec {
  readonly devices?: Omit<v1.DeviceClaim, 'requests'> & { readonly requests?: readonly DeviceRequest[] }
}

export const claimConversion = {
  toStored: ({ spec, ...claim }: { readonly spec: ClaimSpec }) => ({ ...claim, spec: toStoredSpec(spec) }),
  fromStored: ({ spec, ...claim }: claims.ResourceClaim) => ({ ...claim, spec: fromStoredSpec(spec) }),
}

export const claimTemplateConversion = {
  toStored: ({ spec, ...template }: { readonly spec: { readonly spec: ClaimSpec } }) => ({
    ...template,
    spec: { ...spec, spec: toStoredSpec(spec.spec) },
  }),
  fromStored: ({ spec, ...template }: ResourceClaimTemplate) => ({
    ...template,
    spec: { ...spec, spec: fromStoredSpec(spec.spec) },
  }),
}

function toStoredSpec(spec: ClaimSpec): claims.ResourceClaimSpec {
  const { devices } = spec
  if (!devices?.requests) return spec as claims.ResourceClaimSpec
  return { ...spec, devices: { ...devices, requests: devices.requests.map(toStoredRequest) } }
}

function toStoredRequest({ name, firstAvailable, ...exactly }: DeviceRequest): v1.DeviceRequest {
  const isExact = Object.values(exactly).some((value) => value !== undefined && value !== '')
  return {
    name,
    ...(isExact && { exactly: exactly as v1.ExactDeviceRequest }),
    ...(firstAvailable && { firstAvailable }),
  }
}

function fromStoredSpec(spec: claims.ResourceClaimSpec): ClaimSpec {
  const { devices } = spec
  if (!devices?.requests) return spec as ClaimSpec
  const requests = devices.requests.map(({ exactly, ...request }) => ({ ...exactly, ...request }))
  return { ...spec, devices: { ...devices, requests } }
}

interface WrappedDevice extends Pick<Device, 'name'> {
  readonly basic?: Omit<Device, 'name'>
}

interface Slice {
  readonly spec: { readonly devices?: readonly WrappedDevice[] }
}

export const sliceConversion = {
  toStored: ({ spec, ...slice }: Slice) => ({
    ...slice,
    spec: { ...spec, ...(spec.devices && { devices: spec.devices.map(({ name, basic }) => ({ name, ...basic })) }) },
  }),
  fromStored: ({ spec, ...slice }: ResourceSlice) => ({
    ...slice,
    spec: {
      ...spec,
      ...(spec.devices && { devices: spec.devices.map(({ name, ...basic }) => ({ name, basic })) }),
    },
  }),
}
