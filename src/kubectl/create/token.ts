import { ApiError } from '../../api/errors.js'
import { repeated, signedDuration, text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, stringIn } from '../../schema/json-value.js'
import { type CommandContext, command } from '../command.js'
import { objectPrinter, outputFlags } from '../printers/output.js'
import { resourcePath } from '../resources/resource-object.js'
import { nameOf } from './generator.js'

const flags = {
  ...outputFlags,
  audience: repeated('Audience of the token; by default the API server'),
  'bound-object-kind': text('Kind of the object that the token is bound to: Node, Pod or Secret'),
  'bound-object-name': text('Name of that object'),
  'bound-object-uid': text('UID of that object'),
  duration: signedDuration('Requested lifetime; the server decides'),
} as const

type TokenContext = CommandContext<typeof flags>

/** The kinds that a token can be bound to, with their API versions. */
const boundKinds: Readonly<Record<string, string>> = { Node: 'v1', Pod: 'v1', Secret: 'v1' }

export const createToken = command({
  usage: 'SERVICE_ACCOUNT_NAME [options]',
  about: 'Request a token for a service account.',
  examples: ['kubectl create token robot --duration=10m'],
  flags,
  run: runToken,
})

async function runToken(call: TokenContext): Promise<void> {
  const { flags: given, factory, out } = call
  const name = nameOf(call)
  check(given)
  const print = await objectPrinter(factory, given, { isTyped: true })
  const { name: namespace } = await factory.namespace()
  const resource = await (await factory.mapper()).kind({ group: '', version: 'v1', kind: 'ServiceAccount' })
  const path = resourcePath(resource, namespace, name, 'token')
  const rest = await factory.rest()
  const answer = await rest
    .json<JsonObject>({ method: 'POST', path, body: requestOf(given) })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      throw new Error(`failed to create token: ${error.message}`, { cause: error })
    })
  const token = stringIn(objectIn(answer, 'status'), 'token')
  if (token === '') throw new Error('failed to create token: no token in server response')
  if (print) return out(print(answer))
  await out(factory.environment.terminal ? `${token}\n` : token)
}

const second = 1000

function check(given: TokenContext['flags']): void {
  if (given.duration < 0) throw new Error('--duration must be greater than or equal to 0')
  if (given.duration % second !== 0) throw new Error('--duration cannot be expressed in units less than seconds')
  if (given.audience.includes('')) throw new Error('--audience must not be an empty string')
  const { 'bound-object-kind': kind, 'bound-object-name': name, 'bound-object-uid': uid } = given
  if (kind === '') {
    if (name !== '') throw new Error('--bound-object-name can only be set if --bound-object-kind is provided')
    if (uid !== '') throw new Error('--bound-object-uid can only be set if --bound-object-kind is provided')
    return
  }
  if (!Object.hasOwn(boundKinds, kind))
    throw new Error(`supported --bound-object-kind values are ${Object.keys(boundKinds).join(', ')}`)
  if (name === '') throw new Error('--bound-object-name is required if --bound-object-kind is provided')
}

function requestOf(given: TokenContext['flags']): JsonObject {
  const { 'bound-object-kind': kind, 'bound-object-name': name, 'bound-object-uid': uid } = given
  const apiVersion = boundKinds[kind] ?? ''
  return {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: {
      ...(given.audience.length > 0 && { audiences: given.audience }),
      ...(given.duration > 0 && { expirationSeconds: given.duration / second }),
      ...(kind !== '' && { boundObjectRef: { apiVersion, kind, name, ...(uid !== '' && { uid }) } }),
    },
  }
}
