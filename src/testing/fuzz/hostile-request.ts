import { adminToken } from '../servers/server-folder.js'
import { mutated, objectBody, patchBody, strangeBytes } from './hostile-bodies.js'
import { hostileQuery, hostileTarget, type RequestTarget } from './hostile-targets.js'
import { hostileText } from './hostile-text.js'
import { RandomChoices } from './random-choices.js'

/** How a request reaches the server. */
export type Delivery =
  | 'whole'
  /** In pieces, with pauses. */
  | 'slowly'
  /** In chunks as they should be. */
  | 'chunked'
  /** In chunks as they should not be. */
  | 'bad chunks'
  /** Less than it announces; then the client says that it is done. */
  | 'truncated'
  /** Less than it announces; then the client is gone. */
  | 'cut off'
  /** More than it announces. */
  | 'overlong'
  /** It announces two lengths, or says that it comes in chunks as well. */
  | 'ambiguous'
  | 'http2'
  /** The client cancels its stream in the middle. */
  | 'http2 cancelled'
  /** Frames that make no sense. */
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

/** The request that this seed stands for, always the same. */
export function hostileRequest(seed: number): HostileRequest {
  const chance = new RandomChoices(seed)
  const method = chance.rarely(20) ? chance.one(oddMethods) : chance.one(methods)
  const where = hostileTarget(chance, method)
  const media = mediaType(chance, method)
  const body = method === 'GET' && !chance.rarely(10) ? Buffer.alloc(0) : bodyFor(chance, where, method, media)
  return {
    seed,
    method,
    target: where.path + hostileQuery(chance),
    headers: headersFor(chance, body.length > 0 ? media : undefined),
    body,
    delivery: chance.rarely(12) ? chance.one(unusual) : chance.one(usual),
    noise: chance.bytes(10 + chance.below(300)),
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

function mediaType(chance: RandomChoices, method: string): string {
  if (chance.rarely(15)) return chance.one(oddTypes)
  if (method === 'PATCH') return chance.one(patchTypes)
  return chance.rarely(8) ? 'application/yaml' : 'application/json'
}

function bodyFor(chance: RandomChoices, { resource }: RequestTarget, method: string, media: string): Buffer {
  if (!resource || chance.rarely(6)) return strangeBytes(chance)
  const value = bodyValue(chance, { resource, path: '' }, method, media)
  const bytes = Buffer.from(JSON.stringify(value))
  return chance.rarely(15) ? damaged(chance, bytes) : bytes
}

function bodyValue(chance: RandomChoices, { resource }: RequestTarget, method: string, media: string): unknown {
  if (method === 'PATCH') return patchBody(chance, resource!, media)
  if (method === 'DELETE') return deleteOptions(chance)
  return objectBody(chance, resource!)
}

function deleteOptions(chance: RandomChoices): unknown {
  const options = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds: chance.one([0, 1, -1, 2 ** 40]),
    propagationPolicy: chance.one(['Foreground', 'Orphan', 'Background', 'Never']),
    preconditions: { uid: hostileText(chance), resourceVersion: chance.one(['', '1', 'x']) },
  }
  return mutated(chance, chance.rarely(2) ? { ...options, preconditions: undefined } : options, 0)
}

/** A few bytes are others. */
function damaged(chance: RandomChoices, bytes: Buffer): Buffer {
  const result = Buffer.from(bytes)
  for (let i = 0; i <= chance.below(4); i++) result[chance.below(result.length)] = chance.below(256)
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

function headersFor(chance: RandomChoices, media: string | undefined): [string, string][] {
  const headers: [string, string][] = [['host', '127.0.0.1']]
  if (!chance.rarely(25))
    headers.push(['authorization', chance.rarely(25) ? printable(hostileText(chance)) : `Bearer ${adminToken}`])
  if (media !== undefined && !chance.rarely(30)) headers.push(['content-type', media])
  if (chance.rarely(2)) headers.push(['accept', chance.rarely(3) ? chance.one(accepts) : 'application/json'])
  if (chance.rarely(10)) headers.push(['accept-encoding', chance.one(['gzip', 'gzip;q=0', 'br, gzip', '*'])])
  if (chance.rarely(10)) headers.push(['user-agent', printable(hostileText(chance))])
  if (chance.rarely(20))
    headers.push([
      chance.one(['x-__proto__', '__proto__', 'constructor', 'audit-id', 'x-a']),
      printable(hostileText(chance)),
    ])
  if (chance.rarely(30)) headers.push(['impersonate-user', printable(hostileText(chance))])
  if (chance.rarely(60)) headers.push(['expect', '100-continue'])
  if (chance.rarely(60)) headers.push(['connection', chance.one(['close', 'upgrade', 'keep-alive, x'])])
  return headers
}

/** Bytes that end a header's line would make it another header. */
function printable(given: string): string {
  return given.replace(/[\r\n\0]/g, '')
}
