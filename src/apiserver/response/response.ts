import type { Duplex } from 'node:stream'
import type { KubeObject } from '../../api/kube-object.js'
import type { ObjectType } from '../../schema/model.js'

/** An object and its bytes: JSON in canonical form and a line feed, encoded once, when first needed. */
export interface EncodedObject {
  readonly object: KubeObject
  readonly bytes: Uint8Array
  /** The stored object, if it is stored in another version. Tables show that one. */
  readonly origin?: { readonly type: ObjectType; readonly object: KubeObject }
}

/**
 * The response to a request, as data. The in-process transport passes the objects on as they are; the others encode them in the representation
 * that the client requested.
 */
export type ApiResponse =
  | ObjectResponse
  | ListResponse
  | WatchResponse
  | BytesResponse
  | StreamResponse
  | TunnelResponse

/** A response that is complete when the handler returns it. */
export type CompleteResponse = ObjectResponse | ListResponse | BytesResponse

export interface ObjectResponse {
  readonly is: 'object'
  readonly code: number
  readonly type: ObjectType
  readonly object: EncodedObject
  readonly representation: Representation
}

export interface ListResponse {
  readonly is: 'list'
  /** The type of the items, not of the list. */
  readonly type: ObjectType
  readonly items: readonly EncodedObject[]
  /** As `metadata.resourceVersion`. */
  readonly revision: number
  readonly continue?: string
  readonly remaining?: number
  readonly representation: Representation
}

export interface WatchResponse {
  readonly is: 'watch'
  readonly type: ObjectType
  /** Ends when the watch does. If it throws, the client gets an ERROR event. */
  readonly events: AsyncIterable<readonly EncodedEvent[]>
  readonly representation: Representation
}

export interface EncodedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: EncodedObject
}

/** Content that is not an API object, or is encoded in advance: discovery, OpenAPI documents, plain text. */
export interface BytesResponse {
  readonly is: 'bytes'
  readonly code: number
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Bytes from another server, without a known end: for example the log of a container. */
export interface StreamResponse {
  readonly is: 'stream'
  readonly code: number
  readonly contentType: string
  /** Further headers of the other server, as alternating names and values. */
  readonly headers?: readonly string[]
  /** The next chunk is requested when the last one has been sent. If it throws, the response is cut off. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The connection leaves HTTP and becomes a tunnel to another server, which has agreed to the upgrade. */
export interface TunnelResponse {
  readonly is: 'tunnel'
  /** The response head of the other server. */
  readonly head: Uint8Array
  readonly socket: Duplex
}

/** Reports whether a response goes on for an unlimited time after it has started. */
export function isOpenEnded({ is }: ApiResponse): boolean {
  return is === 'watch' || is === 'stream' || is === 'tunnel'
}

/** An object that is not in the cache: built for one response, or converted from the stored version. */
export class EncodedOnce implements EncodedObject {
  readonly object: KubeObject
  readonly origin?: NonNullable<EncodedObject['origin']>
  #bytes: Uint8Array | undefined

  constructor(object: KubeObject, origin?: EncodedObject['origin']) {
    this.object = object
    if (origin) this.origin = origin
  }

  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(`${JSON.stringify(this.object)}\n`)
    return this.#bytes
  }
}

const lineFeed = 0x0a

/** Returns the length of the JSON without the line feed. */
export function jsonLength(bytes: Uint8Array): number {
  return bytes[bytes.length - 1] === lineFeed ? bytes.length - 1 : bytes.length
}

export function textResponse(code: number, content: string, contentType = 'text/plain; charset=utf-8'): BytesResponse {
  return { is: 'bytes', code, contentType, bytes: Buffer.from(content) }
}

/** The representation of a response: `negotiation.ts` selects it, `encode-response.ts` encodes it. */
export interface Representation {
  readonly media: 'json' | 'yaml' | 'protobuf'
  /** For objects without a protobuf form: the next representation that the client accepts. */
  readonly otherwise?: Representation
  readonly pretty: boolean
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** The version of `meta.k8s.io`, for all but `object`. */
  readonly version: 'v1' | 'v1beta1'
  /** What the rows of a table contain. */
  readonly includeObject: 'None' | 'Metadata' | 'Object'
}
