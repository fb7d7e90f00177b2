import type { KubeObject } from '../api/kube-object.js'

/**
 * Carries requests to an API server. Throws an `ApiError` if the server rejects the request, a `ConnectionLostError` if the connection
 * broke, and the reason of the signal if that was aborted.
 */
export interface Transport {
  send(request: ClientRequest): Promise<TransportResult>
  /** Closes all connections. Open watches end. */
  close(): void
  /**
   * True if responses share the objects of a server in this process. They are then always complete, whatever `accept` says, and cost
   * nothing to send.
   */
  readonly sharesObjects?: boolean
}

export interface ClientRequest {
  /** In upper case. */
  readonly method: string
  /** `/api/v1/namespaces/default/pods/web`; names are not URL-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** A value that nobody changes after the call. */
  readonly body?: unknown
  /** Media type of the body; JSON by default. */
  readonly contentType?: string
  /** Acceptable media types of the response; JSON by default. */
  readonly accept?: string | undefined
  /** The form that the response must have. */
  readonly responseType: ClientResponse['is']
  /** Ends a watch, or abandons the request. */
  readonly signal?: AbortSignal | undefined
  /** Upper bound of retries by the client. */
  readonly retries?: number | undefined
  /** See `WatchOptions`. Transports over the network ignore it. */
  readonly sparseBookmarks?: boolean
}

/** The connection broke before the response. It is unknown whether the server handled the request. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
}

export interface TransportResult {
  readonly response: ClientResponse
  readonly warnings: Iterable<string>
}

/** The response of a server as data, in the same form in which the pipeline of the API server produces it. */
export type ClientResponse = ObjectResult | ListResult | WatchResult | BytesResult

export interface ObjectResult {
  readonly is: 'object'
  readonly code: number
  readonly object: ReceivedObject
}

export interface ListResult {
  readonly is: 'list'
  readonly items: readonly ReceivedObject[]
  readonly revision: number
  readonly continue?: string
  readonly remaining?: number
}

export interface WatchResult {
  readonly is: 'watch'
  /** Ends with the watch; throws the error that the server reports. */
  readonly events: AsyncIterable<readonly ReceivedEvent[]>
}

export interface BytesResult {
  readonly is: 'bytes'
  readonly code: number
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** An object with room for more: a server in this process keeps the encoded bytes beside it. */
export interface ReceivedObject {
  readonly object: KubeObject
}

export interface ReceivedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: ReceivedObject
}

/** Calls `release` when the request is over: at once, or when its watch ends. */
export function releaseAfter(result: TransportResult, release: () => void): TransportResult {
  const { response } = result
  if (response.is === 'watch') {
    return { ...result, response: { ...response, events: releaseAtEnd(response.events, release) } }
  }
  release()
  return result
}

async function* releaseAtEnd(
  events: AsyncIterable<readonly ReceivedEvent[]>,
  release: () => void,
): AsyncIterable<readonly ReceivedEvent[]> {
  try {
    yield* events
  } finally {
    release()
  }
}
