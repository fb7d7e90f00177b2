/** What secrets of the known types must hold. Of any other type nothing is known. */

import { JsonSyntaxError, readJson } from '../../../../schema/decode/json-reader.js'
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Secret } from '../secret.js'

type TypeRule = (data: Readonly<Record<string, string>>, secret: Secret) => readonly FieldError[]

const accountName = 'kubernetes.io/service-account.name'

const typeRules: Readonly<Record<string, TypeRule>> = {
  // The rest of it is filled in by a controller.
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

/** A JSON object must be there, whatever it says. The error tells what is wrong with it, and nothing of what it says. */
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
