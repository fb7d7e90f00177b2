import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import { bytesOfBase64, checkKeys, largestContent, sealed, sizeOf } from '../config-map/key-value-content.js'
import { Secret } from '../secret.js'
import { keyPairProblem } from './tls-key-pair.js'
import { typeErrors } from './types.js'

const dataPath = fieldPath('data')

export const secretStrategy = declareStrategy<Secret>(Secret, {
  validate: contentErrors,
  validateUpdate: (secret, old) => [...changeErrors(secret, old), ...contentErrors(secret)],
  warnings({ type, data = {} }) {
    if (type !== 'kubernetes.io/tls') return []
    const problem = keyPairProblem(decoded(data['tls.crt']), decoded(data['tls.key']))
    return problem === undefined ? [] : [problem]
  },
  fields: { type: ({ type = '' }) => type },
})

/** Plain text is a way to write, never to read: it joins the data as soon as it arrives, and wins over it. */
export const secretDefaults = declareDefaults<Secret>(Secret, (draft) => {
  if (!draft.stringData) return
  const encoded = Object.entries(draft.stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  if (encoded.length > 0) draft.data = { ...draft.data, ...Object.fromEntries(encoded) }
  delete draft.stringData
})

export const secretTable = declareTable<Secret>(Secret, {
  Type: ({ type = '' }) => type,
  Data: ({ data = {} }) => Object.keys(data).length,
})

function decoded(value = ''): string {
  return Buffer.from(value, 'base64').toString()
}

function contentErrors(secret: Secret): readonly FieldError[] {
  const { data = {} } = secret
  const errors: FieldError[] = []
  checkKeys(data, dataPath, errors)
  if (sizeOf(data, bytesOfBase64) > largestContent) errors.push(field.tooLong(dataPath, largestContent))
  errors.push(...typeErrors(secret))
  return errors
}

function changeErrors(secret: Secret, old: Secret): readonly FieldError[] {
  const errors: FieldError[] = []
  if (secret.type !== old.type) errors.push(field.invalid(fieldPath('type'), secret.type ?? '', immutable))
  if (!old.immutable) return errors
  if (!secret.immutable) errors.push(field.forbidden(fieldPath('immutable'), sealed))
  if (!isSame(secret.data, old.data)) errors.push(field.forbidden(dataPath, sealed))
  return errors
}
