import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { ResourceClaim } from './resource-claim.js'

export const resourceClaimStrategy = declareStrategy<ResourceClaim>(ResourceClaim, {
  stored: sameForm('resource/v1.ResourceClaim'),
})
