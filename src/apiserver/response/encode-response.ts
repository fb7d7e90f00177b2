import { ApiError, notAcceptable, unknown } from '../../api/errors.js'
import { asJson } from '../../api/kube-object.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { ObjectType } from '../../schema/model.js'
import { protobufType } from '../../wire/protobuf.js'
import { formatYaml } from '../../wire/yaml.js'
import type { ObjectEncoder } from './object-encoder.js'
import { listInProtobuf, objectInProtobuf, spokenRepresentation, valueInProtobuf } from './protobuf.js'
import type { Representation } from './response.js'
import {
  type CompleteResponse,
  type EncodedObject,
  jsonLength,
  type ListResponse,
  type ObjectResponse,
} from './response.js'
import { partialMetadata, tableOf } from './tables.js'

/** A complete response as it goes over the wire. */
export interface EncodedResponse {
  readonly code: number
  readonly contentType: string
  /** To be sent in this order. A list has thousands of small parts: `chunksOf` joins them. */
  readonly parts: readonly Uint8Array[]
}

export interface EncodeOptions {
  readonly encoder: ObjectEncoder
  /** The time that ages in tables count from, in milliseconds since the epoch. */
  readonly now: number
}

/** Encodes a response in the representation that the client requested. Throws 406 if the response has no such representation. */
export function encodeResponse(
  given: CompleteResponse,
  options: EncodeOptions,
): EncodedResponse | Promise<EncodedResponse> {
  const response = given.is === 'bytes' ? given : inSpokenForm(given)
  switch (response.is) {
    case 'bytes':
      return { code: response.code, contentType: response.contentType, parts: [response.bytes] }
    case 'object':
      return encodeObject(response, options)
    default:
      return encodeList(response, options)
  }
}

function inSpokenForm<T extends ObjectResponse | ListResponse>(response: T): T {
  if (response.representation.media !== 'protobuf') return response
  return { ...response, representation: spokenRepresentation(response.representation, response.type) }
}

function encodeObject(response: ObjectResponse, options: EncodeOptions): EncodedResponse | Promise<EncodedResponse> {
  const { code, type, object, representation } = response
  if (isPlain(representation) || isStatus(type)) return encodePlainObject(response, options)
  return encodeValue(code, representation, transformed(type, object, representation, options.now), type)
}

function isStatus({ name }: ObjectType): boolean {
  return name === 'meta/v1.Status'
}

function isPlain({ as }: Representation): boolean {
  return as === 'object'
}

/** Returns the object as a table or reduced to its metadata. */
function transformed(type: ObjectType, shown: EncodedObject, representation: Representation, now: number): JsonObject {
  const { as, version } = representation
  const { object } = shown
  if (as === 'Table') {
    const { resourceVersion } = object.metadata
    const metadata: JsonObject = resourceVersion === undefined ? {} : { resourceVersion }
    return tableOf({ type, objects: [shown], metadata, representation, now })
  }
  if (as === 'PartialObjectMetadata') return partialMetadata(object, version)
  throw notAcceptable(`you requested ${as}, but the requested object is not a list (*${goName(type)})`)
}

/** `apps.Deployment` */
function goName({ kind }: ObjectType): string {
  const { group, kind: name } = kind!
  return `${group === '' ? 'core' : group.split('.')[0]}.${name}`
}

function encodeList(response: ListResponse, options: EncodeOptions): EncodedResponse | Promise<EncodedResponse> {
  const { type, items, representation } = response
  const { as, version } = representation
  const { encoder, now } = options
  switch (as) {
    case 'object':
      if (representation.media === 'protobuf') return protobuf(200, protobufParts(response, encoder))
      return representation.media === 'json' && !representation.pretty
        ? { code: 200, contentType: 'application/json', parts: listParts(response, encoder) }
        : encodeValue(200, representation, listValue(response))
    case 'Table': {
      return encodeValue(
        200,
        representation,
        tableOf({ type, objects: items, metadata: listMetadata(response), representation, now }),
      )
    }
    case 'PartialObjectMetadataList':
      return encodeValue(200, representation, partialList(response, version), type)
    default:
      throw notAcceptable(`you requested ${as}, but the requested object is a list (*${goName(type)}List)`)
  }
}

/** Members in canonical order. Clients read the next page only while `continue` is set. */
export function listMetadata({ revision, continue: token, remaining }: ListResponse): JsonObject {
  return {
    resourceVersion: String(revision),
    ...(token && { continue: token }),
    ...(token && remaining !== undefined && { remainingItemCount: remaining }),
  }
}

function partialList(response: ListResponse, version: Representation['version']): JsonObject {
  const { items } = response
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata(response),
    items: items.length === 0 ? null : items.map(({ object }) => partialMetadata(object, version)),
  }
}

function listValue(response: ListResponse): JsonObject {
  const { apiVersion, kind } = response.type.kind!
  const items = response.items.map(({ object }) => {
    const { apiVersion: _version, kind: _kind, ...rest } = object
    return asJson(rest)
  })
  return { kind: `${kind}List`, apiVersion, metadata: listMetadata(response), items }
}

/** Parts are joined up to this size before they are sent, so that each write is worth its overhead. In bytes. */
export const chunkSize = 256 * 1024

/** Joins the bytes of the items. Each begins with `kind` and `apiVersion`, which are left out: the list has them once. */
function listParts(response: ListResponse, encoder: ObjectEncoder): Uint8Array[] {
  const { apiVersion, kind } = response.type.kind!
  const head = `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify(listMetadata(response))},"items":[`
  const skipped = Buffer.byteLength(`{"kind":"${kind}","apiVersion":"${apiVersion}",`)
  const parts: Uint8Array[] = [Buffer.from(head)]
  for (const [index, item] of response.items.entries()) {
    const bytes = encoder.json(item)
    parts.push(index === 0 ? itemStart : nextItemStart, bytes.subarray(skipped, jsonLength(bytes)))
  }
  parts.push(listEnd)
  return parts
}

const itemStart = Buffer.from('{')
const nextItemStart = Buffer.from(',{')
const listEnd = Buffer.from(']}\n')

function protobufParts(response: ListResponse, encoder: ObjectEncoder): readonly Uint8Array[] {
  const { type, items } = response
  return listInProtobuf({ type, items, metadata: listMetadata(response), encoder })
}

/** Joins small parts into chunks of about `chunkSize`. Builds each chunk when it is requested, so that the first is sent before the last is built. */
export function* chunksOf(parts: readonly Uint8Array[]): Iterable<Uint8Array> {
  let first = 0
  let size = 0
  for (const [index, part] of parts.entries()) {
    size += part.length
    if (size < chunkSize && index < parts.length - 1) continue
    yield index === first ? part : Buffer.concat(parts.slice(first, index + 1), size)
    first = index + 1
    size = 0
  }
}

function encodePlainObject(
  { code, type, object, representation }: ObjectResponse,
  { encoder }: EncodeOptions,
): EncodedResponse | Promise<EncodedResponse> {
  if (representation.media === 'json' && !representation.pretty)
    return { code, contentType: 'application/json', parts: [encoder.json(object)] }
  if (representation.media === 'protobuf') return protobuf(code, [objectInProtobuf(type, object, encoder)])
  return encodeValue(code, representation, asJson(object.object))
}

function protobuf(code: number, parts: readonly Uint8Array[]): EncodedResponse {
  return { code, contentType: protobufType, parts }
}

function encodeValue(
  code: number,
  { media, pretty }: Representation,
  value: JsonObject,
  of?: ObjectType,
): EncodedResponse | Promise<EncodedResponse> {
  if (media === 'protobuf') return protobuf(code, [valueInProtobuf(value, of)])
  if (media === 'json') {
    const text = pretty ? `${JSON.stringify(value, null, 2)}\n` : `${JSON.stringify(value)}\n`
    return { code, contentType: 'application/json', parts: [Buffer.from(text)] }
  }
  return formatYaml(value).then((text) => ({ code, contentType: 'application/yaml', parts: [Buffer.from(text)] }))
}

/** Encodes an error in the media type that the client accepts. */
export function encodeError(
  error: unknown,
  representation: Representation,
): EncodedResponse | Promise<EncodedResponse> {
  const { status, code } = errorStatus(error)
  return encodeValue(code, representation, status)
}

/** The message that clients get for an internal error. */
export const internalErrorText = 'an error on the server has prevented the request from succeeding'

/** An error that is no `ApiError` is internal: the client gets a general message, and the log has the details. */
export function errorStatus(error: unknown): { readonly status: JsonObject; readonly code: number } {
  const known = error instanceof ApiError ? error : unknown(internalErrorText)
  // A webhook or another server may have chosen a code that HTTP does not have.
  const isHttpCode = known.code >= 200 && known.code <= 599
  return { status: asJson(known.status()), code: isHttpCode ? known.code : 500 }
}
