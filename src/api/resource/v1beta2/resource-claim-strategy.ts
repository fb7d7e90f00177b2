import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { ResourceClaim } from './resource-claim.js'

export const resourceClaimStrategy = strategy<ResourceClaim>(ResourceClaim, {
  stored: sameForm('resource/v1.ResourceClaim'),
})
