import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { isSame } from '../../../validation/immutability.js'
import { ConfigMap } from '../config-map.js'
import { bytesOf, bytesOfBase64, checkKeys, largestContent, sealed, sizeOf } from './key-value-content.js'

const dataPath = fieldPath('data')
const binaryDataPath = fieldPath('binaryData')
/** Errors of the size have an empty path. */
const wholePath = fieldPath('')

export const configMapStrategy = declareStrategy<ConfigMap>(ConfigMap, {
  validate: contentErrors,
  validateUpdate: (map, old) => [...sealErrors(map, old), ...contentErrors(map)],
})

export const configMapTable = declareTable<ConfigMap>(ConfigMap, {
  Data: ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length,
})

function contentErrors({ data = {}, binaryData = {} }: ConfigMap): readonly FieldError[] {
  const errors: FieldError[] = []
  checkKeys(data, dataPath, errors, (key) => {
    if (Object.hasOwn(binaryData, key))
      errors.push(field.invalid(dataPath.key(key), key, 'duplicate of key present in binaryData'))
  })
  checkKeys(binaryData, binaryDataPath, errors)
  if (sizeOf(data, bytesOf) + sizeOf(binaryData, bytesOfBase64) > largestContent)
    errors.push(field.tooLong(wholePath, largestContent))
  return errors
}

function sealErrors(map: ConfigMap, old: ConfigMap): readonly FieldError[] {
  if (!old.immutable) return field.none
  const errors: FieldError[] = []
  if (!map.immutable) errors.push(field.forbidden(fieldPath('immutable'), sealed))
  if (!isSame(map.data, old.data)) errors.push(field.forbidden(dataPath, sealed))
  if (!isSame(map.binaryData, old.binaryData)) errors.push(field.forbidden(binaryDataPath, sealed))
  return errors
}
