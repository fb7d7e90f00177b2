import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { isSame } from '../../../validation/immutability.js'
import { validateList } from '../device/list-validation.js'
import { validateDeviceConfiguration, validateDeviceSelectors } from '../device/selector-validation.js'
import { DeviceClass, type DeviceClassSpec } from '../device-class.js'
import { mostConfigurations } from '../resource-claim/device-claim-validation.js'

const specPath = fieldPath('spec')

export const deviceClassStrategy = declareStrategy<DeviceClass>(DeviceClass, {
  intent: ({ spec }) => [spec],
  validate: ({ spec }) => validateClass(spec, undefined),
  validateUpdate: ({ spec }, old) => validateClass(spec, old.spec),
})

function validateClass(spec: DeviceClassSpec, old: DeviceClassSpec | undefined): readonly field.FieldError[] {
  const isStored = old !== undefined && isSame(spec.config, old.config)
  return [
    ...validateDeviceSelectors(spec.selectors, specPath.child('selectors')),
    ...validateList(
      spec.config,
      specPath.child('config'),
      (config, path) => validateDeviceConfiguration(config, path, isStored),
      { maximum: mostConfigurations },
    ),
    ...validateExtendedResource(spec.extendedResourceName, specPath.child('extendedResourceName')),
  ]
}

/** Validates the extended resource name, by which pods can request such a device: with a domain that is not Kubernetes' own. */
function validateExtendedResource(name: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (name === undefined) return field.none
  const isNative = !name.includes('/') || name.includes('kubernetes.io/')
  const isGood = !isNative && !name.startsWith('requests.') && labelKey(`requests.${name}`).length === 0
  return isGood ? field.none : [field.invalid(path, name, 'must be a valid extended resource name')]
}
