import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { ResourceClaimTemplate } from './resource-claim-template.js'

export const resourceClaimTemplateStrategy = strategy<ResourceClaimTemplate>(ResourceClaimTemplate, {
  stored: sameForm('resource/v1.ResourceClaimTemplate'),
})
