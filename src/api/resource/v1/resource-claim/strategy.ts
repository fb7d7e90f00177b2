import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { validateAnnotations } from '../../../metadata/annotations.js'
import { validateLabels } from '../../../metadata/labels.js'
import { keepMetadata } from '../../../metadata/status-metadata.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import { ResourceClaim, type ResourceClaimSpec, type ResourceClaimStatus } from '../resource-claim.js'
import { ResourceClaimTemplate, type ResourceClaimTemplateSpec } from '../resource-claim-template.js'
import { resultsOf, validateClaimStatusUpdate } from './allocation-validation.js'
import { validateDeviceClaim } from './device-claim-validation.js'
import { shownClaimSpec } from './form.js'

export const resourceClaimTable = declareTable<ResourceClaim>(ResourceClaim, { State: stateOf })

/** `deleted,allocated,reserved` */
function stateOf({ metadata, status }: ResourceClaim): string {
  const isDeleted = metadata.deletionTimestamp !== undefined
  const states = isDeleted ? ['deleted'] : []
  if (status.allocation) states.push('allocated', ...(status.reservedFor?.length ? ['reserved'] : []))
  else if (!isDeleted) states.push('pending')
  return states.join(',')
}

export const resourceClaimStrategy = declareStrategy<ResourceClaim>(ResourceClaim, {
  validate: ({ spec }) => validateClaimSpec(spec),
  validateUpdate: ({ spec }, old) =>
    isSame(spec, old.spec) ? field.none : [field.invalid(fieldPath('spec'), shownClaimSpec(spec), immutable)],
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<ResourceClaimSpec>
        keepMetadata(draft, old)
        forgetGivenBack(draft, old.status)
      },
      validateUpdate: validateClaimStatusUpdate,
    },
  },
})

function validateClaimSpec(spec: ResourceClaimSpec): readonly field.FieldError[] {
  return spec.devices ? validateDeviceClaim(spec.devices, fieldPath('spec', 'devices')) : field.none
}

/** Removes the status of devices that are no longer allocated. */
function forgetGivenBack(draft: Draft<ResourceClaim>, old: ResourceClaimStatus): void {
  if (!draft.status.devices) return
  const idOf = ({ driver, pool, device }: { driver: string; pool: string; device: string }) =>
    `${driver}/${pool}/${device}`
  const kept = new Set(resultsOf(draft.status).map(idOf))
  const givenBack = new Set(
    resultsOf(old)
      .map(idOf)
      .filter((id) => !kept.has(id)),
  )
  if (givenBack.size === 0) return
  const { devices, ...status } = draft.status
  const remaining = devices.filter((device) => !givenBack.has(idOf(device)))
  draft.status = remaining.length > 0 ? { ...status, devices: remaining } : status
}

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
