import { fieldPath } from '../../../../schema/field-path.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { isSame } from '../../../validation/immutability.js'
import { dropDisabledPodFields } from '../pod/disabled-fields.js'
import { PodTemplate } from '../pod-template.js'
import { containersCell, imagesCell, labelsCell } from './cells.js'
import { podTemplateWarnings, validatePodTemplateSpec } from './validation.js'

const path = fieldPath('template')

export const podTemplateStrategy = declareStrategy<PodTemplate>(PodTemplate, {
  intent: ({ template }) => [template],
  prepareCreate: ({ template }) => {
    if (template.spec) dropDisabledPodFields(template.spec)
  },
  prepareUpdate: ({ template }, old) => {
    if (template.spec) dropDisabledPodFields(template.spec, old.template.spec)
  },
  validate: ({ template }, { allowPrivileged }) => validatePodTemplateSpec(template, path, { allowPrivileged }),
  validateUpdate: ({ template }, old, { allowPrivileged }) =>
    validatePodTemplateSpec(template, path, { allowPrivileged, old: old.template.spec }),
  warnings: ({ template }, old) =>
    isSame(template, old?.template) ? [] : podTemplateWarnings(template, old?.template, path),
})

export const podTemplateTable = declareTable<PodTemplate>(PodTemplate, {
  Containers: ({ template }) => containersCell(template),
  Images: ({ template }) => imagesCell(template),
  'Pod Labels': ({ template }) => labelsCell(template.metadata?.labels),
})
