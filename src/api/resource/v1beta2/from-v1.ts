import { declarationsIn } from '../../../schema/declaration.js'
import { derivedVersion } from '../../../schema/derived-version.js'
import { map, ref } from '../../../schema/fields.js'
import * as deviceClass from '../v1/device-class.js'
import * as deviceRequest from '../v1/device-request.js'
import * as deviceSelector from '../v1/device-selector.js'
import { deviceSubRequestDefaults, exactDeviceRequestDefaults } from '../v1/resource-claim/device-claim-validation.js'
import * as resourceClaim from '../v1/resource-claim.js'
import * as resourceClaimTemplate from '../v1/resource-claim-template.js'
import * as resourceSlice from '../v1/resource-slice.js'

const version = 'resource/v1beta2'

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
    exactDeviceRequestDefaults,
    deviceSubRequestDefaults,
  ],
  {
    fields: {
      Device: {
        // `ResourceName` is a type of core/v1.
        nodeAllocatableResourceMappings: map(13, ref(`${version}.NodeAllocatableResourceMapping`), {
          goType: 'map[v1.ResourceName]v1beta2.NodeAllocatableResourceMapping',
        }),
      },
    },
  },
)
