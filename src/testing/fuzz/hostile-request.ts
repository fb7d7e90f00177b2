import { adminToken } from '../servers/server-folder.js'
import { mutated, objectBody, patchBody, strangeBytes } from './hostile-bodies.js'
import { type HostileTarget, hostileQuery, hostileTarget } from './hostile-targets.js'
import { hostileText } from './hostile-text.js'
import { RandomChoices } from './random-choices.js'

/** How a request reaches the server. */
export type Delivery =
  | 'whole'
  /** In pieces, with pauses. */
  | 'slowly'
  /** In valid chunks. */
  | 'chunked'
  /** In malformed chunks. */
  | 'bad chunks'
  /** Shorter than announced; then the client ends its side. */
  | 'truncated'
  /** Shorter than announced; then the client closes the connection. */
  | 'cut off'
  /** Longer than announced. */
  | 'overlong'
  /** Announces both a length and chunks. */
  | 'ambiguous'
  | 'http2'
  /** The client cancels its stream in the middle. */
  | 'http2 cancelled'
  /** Malformed frames. */
  | 'http2 frames'
  /** No HTTP at all. */
  | 'noise'

export interface HostileRequest {
  readonly seed: number
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  readonly delivery: Delivery
  /** Bytes for deliveries that send something else. */
  readonly noise: Buffer
}

const methods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'PUT',
  'PUT',
  'PATCH',
  'PATCH',
  'PATCH',
  'DELETE',
] as const
const oddMethods = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'get',
  'BREW',
  'constructor',
  '__proto__',
  'PROPFIND',
] as const
const usual: readonly Delivery[] = ['whole', 'whole', 'whole', 'whole', 'whole', 'whole', 'http2', 'chunked', 'slowly']
const unusual: readonly Delivery[] = [
  'bad chunks',
  'truncated',
  'cut off',
  'overlong',
  'ambiguous',
  'http2 cancelled',
  'http2 frames',
  'noise',
]

/** Returns the request of a seed, always the same. */
export function hostileRequest(seed: number): HostileRequest {
  const choices = new RandomChoices(seed)
  const method = choices.rarely(20) ? choices.one(oddMethods) : choices.one(methods)
  const where = hostileTarget(choices, method)
  const media = mediaType(choices, method)
  const body = method === 'GET' && !choices.rarely(10) ? Buffer.alloc(0) : bodyFor(choices, where, method, media)
  return {
    seed,
    method,
    target: where.path + hostileQuery(choices),
    headers: headersFor(choices, body.length > 0 ? media : undefined),
    body,
    delivery: choices.rarely(12) ? choices.one(unusual) : choices.one(usual),
    noise: choices.bytes(10 + choices.below(300)),
  }
}

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const
const oddTypes = [
  'text/plain',
  'application/vnd.kubernetes.protobuf',
  'application/json; charset=latin1',
  ';;;',
  'a',
] as const

function mediaType(choices: RandomChoices, method: string): string {
  if (choices.rarely(15)) return choices.one(oddTypes)
  if (method === 'PATCH') return choices.one(patchTypes)
  return choices.rarely(8) ? 'application/yaml' : 'application/json'
}

function bodyFor(choices: RandomChoices, { resource }: HostileTarget, method: string, media: string): Buffer {
  if (!resource || choices.rarely(6)) return strangeBytes(choices)
  const value = bodyValue(choices, { resource, path: '' }, method, media)
  const bytes = Buffer.from(JSON.stringify(value))
  return choices.rarely(15) ? damaged(choices, bytes) : bytes
}

function bodyValue(choices: RandomChoices, { resource }: HostileTarget, method: string, media: string): unknown {
  if (method === 'PATCH') return patchBody(choices, resource!, media)
  if (method === 'DELETE') return deleteOptions(choices)
  return objectBody(choices, resource!)
}

function deleteOptions(choices: RandomChoices): unknown {
  const options = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds: choices.one([0, 1, -1, 2 ** 40]),
    propagationPolicy: choices.one(['Foreground', 'Orphan', 'Background', 'Never']),
    preconditions: { uid: hostileText(choices), resourceVersion: choices.one(['', '1', 'x']) },
  }
  return mutated(choices, choices.rarely(2) ? { ...options, preconditions: undefined } : options, 0)
}

/** Changes a few bytes. */
function damaged(choices: RandomChoices, bytes: Buffer): Buffer {
  const result = Buffer.from(bytes)
  for (let i = 0; i <= choices.below(4); i++) result[choices.below(result.length)] = choices.below(256)
  return result
}

const accepts = [
  'application/json',
  '*/*',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=constructor;v=__proto__;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf',
  ';;q=,=;as=',
  'a'.repeat(5000),
] as const

function headersFor(choices: RandomChoices, media: string | undefined): [string, string][] {
  const headers: [string, string][] = [['host', '127.0.0.1']]
  if (!choices.rarely(25))
    headers.push(['authorization', choices.rarely(25) ? printable(hostileText(choices)) : `Bearer ${adminToken}`])
  if (media !== undefined && !choices.rarely(30)) headers.push(['content-type', media])
  if (choices.rarely(2)) headers.push(['accept', choices.rarely(3) ? choices.one(accepts) : 'application/json'])
  if (choices.rarely(10)) headers.push(['accept-encoding', choices.one(['gzip', 'gzip;q=0', 'br, gzip', '*'])])
  if (choices.rarely(10)) headers.push(['user-agent', printable(hostileText(choices))])
  if (choices.rarely(20))
    headers.push([
      choices.one(['x-__proto__', '__proto__', 'constructor', 'audit-id', 'x-a']),
      printable(hostileText(choices)),
    ])
  if (choices.rarely(30)) headers.push(['impersonate-user', printable(hostileText(choices))])
  if (choices.rarely(60)) headers.push(['expect', '100-continue'])
  if (choices.rarely(60)) headers.push(['connection', choices.one(['close', 'upgrade', 'keep-alive, x'])])
  return headers
}

/** Bytes that end a header's line would make it another header. */
function printable(given: string): string {
  return given.replace(/[\r\n\0]/g, '')
}
