import { ApiError, notAcceptable, unknown } from '../../api/errors.js'
import { asJson } from '../../api/kube-object.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { ObjectType } from '../../schema/model.js'
import { protobufType } from '../../wire/protobuf.js'
import { formatYaml } from '../../wire/yaml.js'
import { listInProtobuf, objectInProtobuf, spokenRepresentation, valueInProtobuf } from './protobuf.js'
import type { Representation } from './representation.js'
import {
  type CompleteResponse,
  type EncodedObject,
  jsonLength,
  type ListResponse,
  type ObjectResponse,
} from './response.js'
import { partialMetadata, tableOf } from './tables.js'

/** An answer in one piece, as it goes over the wire. */
export interface EncodedResponse {
  readonly code: number
  readonly contentType: string
  /** To be sent one after the other; there may be thousands, and small ones (see `gathered`). */
  readonly parts: readonly Uint8Array[]
}

/** Writes an answer in the representation that the client asked for. Throws 406 if the two do not go together. */
export function encodeResponse(given: CompleteResponse, now: number): EncodedResponse | Promise<EncodedResponse> {
  const response = given.is === 'bytes' ? given : inSpokenForm(given)
  switch (response.is) {
    case 'bytes':
      return { code: response.code, contentType: response.contentType, parts: [response.bytes] }
    case 'object':
      return writtenObject(response, now)
    default:
      return writtenList(response, now)
  }
}

function inSpokenForm<T extends ObjectResponse | ListResponse>(response: T): T {
  if (response.representation.media !== 'protobuf') return response
  return { ...response, representation: spokenRepresentation(response.representation, response.type) }
}

function writtenObject(response: ObjectResponse, now: number): EncodedResponse | Promise<EncodedResponse> {
  const { code, type, object, representation } = response
  if (isPlain(representation) || isStatus(type)) return formatted(response)
  return encoded(code, representation, transformed(type, object, representation, now), type)
}

function isStatus({ name }: ObjectType): boolean {
  return name === 'meta/v1.Status'
}

function isPlain({ as }: Representation): boolean {
  return as === 'object'
}

/** One object in another form. */
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

function writtenList(response: ListResponse, now: number): EncodedResponse | Promise<EncodedResponse> {
  const { type, items, representation } = response
  const { as, version } = representation
  switch (as) {
    case 'object':
      if (representation.media === 'protobuf') return protobuf(200, protobufParts(response))
      return representation.media === 'json' && !representation.pretty
        ? { code: 200, contentType: 'application/json', parts: listParts(response) }
        : encoded(200, representation, listValue(response))
    case 'Table': {
      return encoded(
        200,
        representation,
        tableOf({ type, objects: items, metadata: listMetadata(response), representation, now }),
      )
    }
    case 'PartialObjectMetadataList':
      return encoded(200, representation, partialList(response, version), type)
    default:
      throw notAcceptable(`you requested ${as}, but the requested object is a list (*${goName(type)}List)`)
  }
}

/** In canonical order; a client that leaves members out reads on only while `continue` is there. */
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

/** How much is put together before it is sent on: enough that each piece is worth its overhead. */
export const chunkSize = 256 * 1024

/**
 * A list without looking into its items: their bytes one after the other, each without the `kind` and `apiVersion` with which it
 * begins, because those stand once, in the list.
 */
function listParts(response: ListResponse): Uint8Array[] {
  const { apiVersion, kind } = response.type.kind!
  const head = `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify(listMetadata(response))},"items":[`
  const skipped = Buffer.byteLength(`{"kind":"${kind}","apiVersion":"${apiVersion}",`)
  return joined(head, response.items, skipped)
}

const itemStart = Buffer.from('{')
const nextItemStart = Buffer.from(',{')
const listEnd = Buffer.from(']}\n')

function joined(head: string, items: readonly EncodedObject[], skipped: number): Uint8Array[] {
  const parts: Uint8Array[] = [Buffer.from(head)]
  for (const [index, { bytes }] of items.entries())
    parts.push(index === 0 ? itemStart : nextItemStart, bytes.subarray(skipped, jsonLength(bytes)))
  parts.push(listEnd)
  return parts
}

function protobufParts(response: ListResponse): readonly Uint8Array[] {
  const { type, items } = response
  return listInProtobuf({ type, items, metadata: listMetadata(response) })
}

/** Small parts joined to chunks that are worth sending: each when it is its turn, so that the first leaves before the last is made. */
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

function formatted({ code, type, object, representation }: ObjectResponse): EncodedResponse | Promise<EncodedResponse> {
  if (representation.media === 'json' && !representation.pretty)
    return { code, contentType: 'application/json', parts: [object.bytes] }
  if (representation.media === 'protobuf') return protobuf(code, [objectInProtobuf(type, object)])
  return encoded(code, representation, asJson(object.object))
}

function protobuf(code: number, parts: readonly Uint8Array[]): EncodedResponse {
  return { code, contentType: protobufType, parts }
}

function encoded(
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

/** A refusal, told in the client's own media type. */
export function encodeError(
  error: unknown,
  representation: Representation,
): EncodedResponse | Promise<EncodedResponse> {
  const { status, code } = errorStatus(error)
  return encoded(code, representation, status)
}

/** What clients are told about a mistake of this program. */
export const internalErrorText = 'an error on the server has prevented the request from succeeding'

/** Anything that is no `ApiError` is a mistake of this program: the client learns that, the log learns the rest. */
export function errorStatus(error: unknown): { readonly status: JsonObject; readonly code: number } {
  const known = error instanceof ApiError ? error : unknown(internalErrorText)
  // Others may have chosen the code, and HTTP has no words for all of them.
  const isSayable = known.code >= 200 && known.code <= 599
  return { status: asJson(known.status()), code: isSayable ? known.code : 500 }
}
