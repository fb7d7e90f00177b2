import { JsonSyntaxError, readJson } from '../../../../schema/decode/json-reader.js'
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import { bytesOfBase64, checkKeys, largestContent, sealed, sizeOf } from '../config-map/key-value-content.js'
import { Secret } from '../secret.js'
import { keyPairProblem } from './tls-key-pair.js'

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

/** Merges `stringData`, which is write-only, into `data`; `stringData` has precedence. */
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

/** Validates the data of a secret of a known type. Other types have no validation. */

type TypeRule = (data: Readonly<Record<string, string>>, secret: Secret) => readonly FieldError[]

const accountName = 'kubernetes.io/service-account.name'

const typeRules: Readonly<Record<string, TypeRule>> = {
  // A controller sets the rest.
  'kubernetes.io/service-account-token': (_, { metadata }) =>
    metadata.annotations?.[accountName]
      ? field.none
      : [field.required(fieldPath('metadata', 'annotations').key(accountName))],
  'kubernetes.io/dockercfg': (data) => jsonErrors(data, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data) => jsonErrors(data, '.dockerconfigjson'),
  // One of the two is enough, and either may be empty.
  'kubernetes.io/basic-auth': (data) =>
    Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')
      ? field.none
      : [missing('username'), missing('password')],
  'kubernetes.io/ssh-auth': (data) => (data['ssh-privatekey'] ? field.none : [missing('ssh-privatekey')]),
  'kubernetes.io/tls': (data) => ['tls.crt', 'tls.key'].filter((key) => !Object.hasOwn(data, key)).map(missing),
}

export function typeErrors(secret: Secret): readonly FieldError[] {
  const { type = '', data = {} } = secret
  const rule = Object.hasOwn(typeRules, type) ? typeRules[type] : undefined
  return rule ? rule(data, secret) : field.none
}

function missing(key: string): FieldError {
  return field.required(fieldPath('data').key(key))
}

/** Requires a JSON object under a key. The error does not contain its content. */
function jsonErrors(data: Readonly<Record<string, string>>, key: string): readonly FieldError[] {
  const value = data[key]
  if (value === undefined) return [missing(key)]
  const problem = jsonProblem(Buffer.from(value, 'base64').toString())
  return problem === undefined
    ? field.none
    : [field.invalid(fieldPath('data').key(key), '<secret contents redacted>', problem)]
}

function jsonProblem(text: string): string | undefined {
  try {
    readJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message
    throw error
  }
  const value = JSON.parse(text)
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
  return `json: cannot unmarshal ${jsonName(value)} into Go value of type map[string]interface {}`
}

function jsonName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
