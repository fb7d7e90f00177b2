import { declarationsIn } from '../../../schema/declaration.js'
import { derivedVersion } from '../../../schema/derived-version.js'
import { bool, enumeration, int64, list, map, oneOf, ref, string } from '../../../schema/fields.js'
import { declareDefaults, schema } from '../../../schema/schema.js'
import * as deviceClass from '../v1/device-class.js'
import * as deviceRequest from '../v1/device-request.js'
import * as deviceSelector from '../v1/device-selector.js'
import { deviceSubRequestDefaults, setCountDefaults } from '../v1/resource-claim/device-claim-validation.js'
import * as resourceClaim from '../v1/resource-claim.js'
import * as resourceClaimTemplate from '../v1/resource-claim-template.js'
import * as resourceSlice from '../v1/resource-slice.js'
import { claimConversion, claimTemplateConversion, type DeviceRequest, sliceConversion } from './conversion.js'

const version = 'resource/v1beta1'

const { values: allocationModes } = deviceRequest.DeviceAllocationMode.type

/** An exact request has no object of its own in this version: its fields are fields of the request. */
const flatRequest = schema(`${version}.DeviceRequest`, {
  required: { name: string(1) },
  optional: {
    deviceClassName: string(2, { always: true }),
    selectors: list(3, ref(`${version}.DeviceSelector`)),
    allocationMode: oneOf(4, enumeration(`${version}.DeviceAllocationMode`, allocationModes)),
    count: int64(5),
    adminAccess: bool(6, { keepZero: true }),
    firstAvailable: list(7, ref(`${version}.DeviceSubRequest`)),
    tolerations: list(8, ref(`${version}.DeviceToleration`)),
    capacity: ref(9, `${version}.CapacityRequirements`),
  },
})

/** A request without a class lists alternatives, or is invalid. */
const flatRequestDefaults = declareDefaults<DeviceRequest>(flatRequest, (request) => {
  if (request.deviceClassName) setCountDefaults(request)
})

/** The attributes of a device are in an object of its own, `basic`, in this version. */
const wrappedDevice = schema(`${version}.Device`, {
  required: { name: string(1) },
  optional: { basic: ref(2, `${version}.BasicDevice`) },
})

/** The optional fields of a device in v1, with field numbers that are one lower. Declared as if v1 had it, and then renamed. */
const BasicDevice = schema('resource/v1.BasicDevice', {
  optional: Object.fromEntries(
    Object.entries(resourceSlice.Device.optional).map(([name, field]) => [
      name,
      { ...field, tag: Number(field.tag) - 1 },
    ]),
  ),
})

export const declarations = derivedVersion(
  version,
  [
    ...declarationsIn([
      deviceClass,
      deviceRequest,
      deviceSelector,
      resourceClaim,
      resourceClaimTemplate,
      resourceSlice,
    ]),
    BasicDevice,
    deviceSubRequestDefaults,
  ],
  {
    without: ['ExactDeviceRequest'],
    declarations: [flatRequest, flatRequestDefaults, wrappedDevice],
    fields: {
      DeviceSubRequest: {
        tolerations: list(7, ref(`${version}.DeviceToleration`)),
        capacity: ref(8, `${version}.CapacityRequirements`),
      },
      ResourceSliceSpec: { nodeName: string(3), allNodes: bool(5) },
      BasicDevice: {
        // `ResourceName` is a type of core/v1.
        nodeAllocatableResourceMappings: map(12, ref(`${version}.NodeAllocatableResourceMapping`), {
          goType: 'map[v1.ResourceName]v1beta1.NodeAllocatableResourceMapping',
        }),
      },
    },
    conversions: {
      ResourceClaim: claimConversion,
      ResourceClaimTemplate: claimTemplateConversion,
      ResourceSlice: sliceConversion,
    },
  },
)
