import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { ResourceClaimTemplate } from './resource-claim-template.js'

export const resourceClaimTemplateStrategy = declareStrategy<ResourceClaimTemplate>(ResourceClaimTemplate, {
  stored: sameForm('resource/v1.ResourceClaimTemplate'),
})
