import type { KubeObject } from '../api/kube-object.js'

/**
 * Carries requests to an API server. Throws an `ApiError` where the server refuses, a `ConnectionLostError` where the connection broke,
 * and the signal's reason where that ended it.
 */
export interface Transport {
  send(request: ClientRequest): Promise<Answered>
  /** Lets go of connections. Watches that are open end. */
  close(): void
  /** Answers are the objects that a server in this process holds: whole, whatever was accepted, and at no cost. */
  readonly sharesObjects?: boolean
}

export interface ClientRequest {
  /** In upper case. */
  readonly method: string
  /** `/api/v1/namespaces/default/pods/web`; names are written as they are, not encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** A value that nobody changes any more. */
  readonly body?: unknown
  /** Of the body; JSON unless told. */
  readonly contentType?: string
  /** In which forms the answer is welcome; JSON unless told. */
  readonly accept?: string | undefined
  /** What the answer must be. */
  readonly wanted: Answer['is']
  /** Ends a watch, or gives up on an answer. */
  readonly signal?: AbortSignal | undefined
  /** How often the client may try again. */
  readonly retries?: number | undefined
}

/** The connection broke before there was an answer: whether the server did what was asked is not known. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
}

export interface Answered {
  readonly answer: Answer
  readonly warnings: Iterable<string>
}

/** What the server answers, as data: in the same form in which it comes out of its pipeline. */
export type Answer = ObjectAnswer | ListAnswer | WatchAnswer | BytesAnswer

export interface ObjectAnswer {
  readonly is: 'object'
  readonly code: number
  readonly object: Held
}

export interface ListAnswer {
  readonly is: 'list'
  readonly items: readonly Held[]
  readonly revision: number
  readonly continue?: string
  readonly remaining?: number
}

export interface WatchAnswer {
  readonly is: 'watch'
  /** Ends when the watch does; throws what the server reports. */
  readonly events: AsyncIterable<readonly HeldEvent[]>
}

export interface BytesAnswer {
  readonly is: 'bytes'
  readonly code: number
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** An object in the hands of whoever made the answer: a server in this process may hold its bytes, too. */
export interface Held {
  readonly object: KubeObject
}

export interface HeldEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: Held
}

/** The events of a watch, calling `ended` when there are no more or nobody wants them any more. */
export async function* untilEnd(
  events: AsyncIterable<readonly HeldEvent[]>,
  ended: () => void,
): AsyncIterable<readonly HeldEvent[]> {
  try {
    yield* events
  } finally {
    ended()
  }
}
