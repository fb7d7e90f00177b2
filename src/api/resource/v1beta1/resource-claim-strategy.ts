import { declareStrategy } from '../../../schema/strategy.js'
import type { ResourceClaim as StoredClaim } from '../v1/resource-claim.js'
import { fromStoredSpec, toStoredSpec } from './device-request-validation.js'
import { ResourceClaim } from './resource-claim.js'

export const resourceClaimStrategy = declareStrategy<ResourceClaim>(ResourceClaim, {
  stored: {
    type: 'resource/v1.ResourceClaim',
    toStored: (claim) => ({ ...claim, spec: toStoredSpec(claim.spec) }),
    fromStored: (claim: StoredClaim) => ({ ...claim, spec: fromStoredSpec(claim.spec) }),
  },
})
