import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { validateAnnotations } from '../../../metadata/annotations.js'
import { validateLabels } from '../../../metadata/labels.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import { validateDeviceClaim } from '../resource-claim/device-claim-validation.js'
import { shownClaimSpec } from '../resource-claim/form.js'
import { ResourceClaimTemplate, type ResourceClaimTemplateSpec } from '../resource-claim-template.js'

const specPath = fieldPath('spec')

export const resourceClaimTemplateStrategy = declareStrategy<ResourceClaimTemplate>(ResourceClaimTemplate, {
  validate: ({ spec }) => validateTemplate(spec),
  validateUpdate: ({ spec }, old) =>
    isSame(spec, old.spec)
      ? field.none
      : [field.invalid(specPath, { ...spec.metadata, Spec: shownClaimSpec(spec.spec) }, immutable)],
})

function validateTemplate({ metadata, spec }: ResourceClaimTemplateSpec): readonly field.FieldError[] {
  return [
    ...validateAnnotations(metadata?.annotations, specPath.child('metadata', 'annotations')),
    ...validateLabels(metadata?.labels, specPath.child('metadata', 'labels')),
    ...(spec.devices ? validateDeviceClaim(spec.devices, specPath.child('spec', 'devices')) : field.none),
  ]
}
