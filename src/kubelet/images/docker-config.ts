import { createHash } from 'node:crypto'
import type { Secret } from '../../api/core/v1/secret.js'
import { isObject, memberOf, stringIn } from '../../schema/json-value.js'
import type { RegistryCredential } from './credential.js'

/** A pull secret is malformed. The message never quotes the contents. */
export class PullSecretError extends Error {
  override readonly name = 'PullSecretError'
}

/** Returns the credentials of a pull secret, each with its registry or path. Empty for other types of secrets. */
export function registryCredentials(secret: Secret): readonly RegistryCredential[] {
  const entries = registriesOf(secret)
  return Object.entries(entries).map(([registry, entry]) => {
    const { username, password } = accountOf(entry, secret)
    const { uid = '', namespace = '', name = '' } = secret.metadata
    return { registry, username, password, hash: hashOf(username, password), secret: { uid, namespace, name } }
  })
}

/** Reads both file formats of container tools. */
function registriesOf(secret: Secret): Readonly<Record<string, unknown>> {
  if (secret.type === 'kubernetes.io/dockerconfigjson') {
    const auths = memberOf(read(secret, '.dockerconfigjson'), 'auths')
    return isObject(auths) ? auths : {}
  }
  return secret.type === 'kubernetes.io/dockercfg' ? read(secret, '.dockercfg') : {}
}

function read(secret: Secret, key: string): Readonly<Record<string, unknown>> {
  const data = memberOf(secret.data, key)
  if (!data) return {}
  const value = parsed(Buffer.from(data, 'base64').toString())
  if (!isObject(value)) throw new PullSecretError(`${key} of secret ${secretName(secret)} is not a JSON object`)
  return value
}

/** Returns undefined for invalid JSON: the parser's message would quote the contents. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `auth` holds both values and takes precedence. */
function accountOf(entry: unknown, secret: Secret): { readonly username: string; readonly password: string } {
  if (!isObject(entry)) throw new PullSecretError(`an entry of secret ${secretName(secret)} is not a JSON object`)
  const auth = stringIn(entry, 'auth')
  if (auth === '') return { username: stringIn(entry, 'username'), password: stringIn(entry, 'password') }
  const text = Buffer.from(auth, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) throw new PullSecretError('unable to parse auth field, must be formatted as base64(username:password)')
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function secretName({ metadata: { namespace, name } }: Secret): string {
  return `${namespace}/${name}`
}

/** Identifies equal credentials without storing them. */
function hashOf(username: string, password: string): string {
  return createHash('sha256').update(JSON.stringify({ username, password })).digest('hex')
}
