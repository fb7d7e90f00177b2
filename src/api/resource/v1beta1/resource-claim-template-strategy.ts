import { declareStrategy } from '../../../schema/strategy.js'
import type { ResourceClaimTemplate as StoredTemplate } from '../v1/resource-claim-template.js'
import { fromStoredSpec, toStoredSpec } from './device-request-validation.js'
import { ResourceClaimTemplate } from './resource-claim-template.js'

export const resourceClaimTemplateStrategy = declareStrategy<ResourceClaimTemplate>(ResourceClaimTemplate, {
  stored: {
    type: 'resource/v1.ResourceClaimTemplate',
    toStored: (template) => ({
      ...template,
      spec: { ...template.spec, spec: toStoredSpec(template.spec.spec) },
    }),
    fromStored: (template: StoredTemplate) => ({
      ...template,
      spec: { ...template.spec, spec: fromStoredSpec(template.spec.spec) },
    }),
  },
})
