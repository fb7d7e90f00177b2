import type { Duplex } from 'node:stream'
import type { KubeObject } from '../../api/kube-object.js'
import type { ObjectType } from '../../schema/model.js'
import type { Representation } from './representation.js'

/** An object and its bytes: JSON in canonical form and a line feed, encoded once, on first need. */
export interface EncodedObject {
  readonly object: KubeObject
  readonly bytes: Uint8Array
  /** What it was made from, where it is kept in another version: tables show that. */
  readonly origin?: { readonly type: ObjectType; readonly object: KubeObject }
}

/**
 * What a request is answered with, as data. A transport within the process hands the objects on as they are; others write them in
 * the representation that the client asked for.
 */
export type ApiResponse =
  | ObjectResponse
  | ListResponse
  | WatchResponse
  | BytesResponse
  | StreamResponse
  | TunnelResponse

/** What is there as a whole when the answer is given. */
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
  /** Of the items, not of the list. */
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
  /** Ends when the watch does. What it throws is told as an ERROR event. */
  readonly events: AsyncIterable<readonly EncodedEvent[]>
  readonly representation: Representation
}

export interface EncodedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: EncodedObject
}

/** Anything that is no API object, or is made in advance: discovery, documents, plain text. */
export interface BytesResponse {
  readonly is: 'bytes'
  readonly code: number
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Bytes that come from elsewhere for as long as they like: the log of a container. */
export interface StreamResponse {
  readonly is: 'stream'
  readonly code: number
  readonly contentType: string
  /** What else is said of them where they come from, names and values by turns. */
  readonly headers?: readonly string[]
  /** The next piece is asked for when the last one has left. What it throws breaks the answer off. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The connection goes on as one to somebody else, who has agreed to leave HTTP. */
export interface TunnelResponse {
  readonly is: 'tunnel'
  /** The head of his answer. */
  readonly head: Uint8Array
  readonly socket: Duplex
}

/** Goes on after it has begun, for as long as it likes. */
export function isOpenEnded({ is }: ApiResponse): boolean {
  return is === 'watch' || is === 'stream' || is === 'tunnel'
}

/** An object that is not kept as it is: made for one answer, or from one that is kept in another version. */
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

/** How many of the bytes are the JSON itself. */
export function jsonLength(bytes: Uint8Array): number {
  return bytes[bytes.length - 1] === lineFeed ? bytes.length - 1 : bytes.length
}

export function textResponse(code: number, content: string, contentType = 'text/plain; charset=utf-8'): BytesResponse {
  return { is: 'bytes', code, contentType, bytes: Buffer.from(content) }
}
