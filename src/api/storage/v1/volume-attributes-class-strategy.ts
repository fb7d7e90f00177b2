import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { isSame } from '../../validation/immutability.js'
import { checkDriver, checkParameters } from './driver-parameters.js'
import { VolumeAttributesClass } from './volume-attributes-class.js'

export const volumeAttributesClassStrategy = declareStrategy<VolumeAttributesClass>(VolumeAttributesClass, {
  validate: classErrors,
  validateUpdate(attributesClass, old) {
    const errors = classErrors(attributesClass)
    return [...errors, ...changeErrors(attributesClass, old), ...errors]
  },
})

export const volumeAttributesClassTable = declareTable<VolumeAttributesClass>(VolumeAttributesClass, {
  DriverName: ({ driverName }) => driverName,
})

function classErrors({ driverName, parameters }: VolumeAttributesClass): readonly FieldError[] {
  const errors: FieldError[] = []
  const place = fieldPath('parameters')
  checkDriver(driverName, fieldPath('driverName'), errors)
  checkParameters(parameters, place, errors)
  if (Object.keys(parameters ?? {}).length === 0)
    errors.push(field.required(place, 'must contain at least one key/value pair'))
  return errors
}

/** Rejects changes of fields on which existing volumes depend. */
function changeErrors(attributesClass: VolumeAttributesClass, old: VolumeAttributesClass): readonly FieldError[] {
  return (['driverName', 'parameters'] as const)
    .filter((name) => !isSame(attributesClass[name], old[name]))
    .map((name) => field.forbidden(fieldPath(name), `updates to ${name} are forbidden.`))
}
