import type { IncomingHttpHeaders } from 'node:http'
import type { ApiResponse } from '../response/response.js'
import type { RequestInfo } from './request-info.js'
import type { RequestUser } from './user.js'

/** A request of any transport. */
export interface ApiRequest {
  /** In upper case. */
  readonly method: string
  /** Decoded, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** The query as it came over the wire, without the question mark. */
  readonly search?: string
  /** By name in lower case. Node joins repeated headers. */
  readonly headers: IncomingHttpHeaders
  /** The headers as they were sent, names and values alternating; see `header-values.ts`. */
  readonly rawHeaders?: readonly string[]
  /** Reads the body; can be called once. Throws `requestEntityTooLarge` if it is longer than `limit` bytes. */
  readonly body: (limit: number) => Promise<Body>
  /** Aborted when the client disconnects or the server stops. Created on first use. */
  readonly signal: AbortSignal
  /** Whether a watch gets bookmarks only after the existing objects and before its end. Only informers in this process request it. */
  readonly sparseBookmarks?: boolean | undefined
  /** The client, as far as the transport knows it. */
  readonly peer: Peer
}

export type Body =
  /** The bytes as they were sent; the headers have their type. */
  | { readonly bytes: Uint8Array }
  /** From a client in this process: a value that the client no longer changes. */
  | { readonly value: unknown }

export interface Peer {
  readonly address: string
  /** The verified certificate of the client, in DER. */
  readonly certificate?: Uint8Array
  /** The user, if the transport knows it: a component in this process. */
  readonly user?: RequestUser
}

export interface ImpersonatedBy {
  readonly by: RequestUser
  /** The verb that allowed the impersonation, if it allows only some requests. */
  readonly constraint: string
}

/** A request in the pipeline, and the results of its stages. */
export interface RequestContext {
  /** A stage may replace it only by a modified copy. */
  request: ApiRequest
  /** The audit id. Traces, logs and responses contain it. */
  readonly id: string
  /** Arrival by the wall clock, in milliseconds since the epoch. */
  readonly received: number
  /** Arrival on the monotonic clock: the start of all durations. */
  readonly began: number
  /** When the response is due, on the monotonic clock. Set by the stage `deadline`; undefined for long-running requests. */
  deadline?: number
  /** Set by the stage `request-info`. */
  info: RequestInfo
  /** Set by the stage `authentication`. */
  user: RequestUser
  /** The user that impersonates `user`. Set by the stage `impersonation`. */
  impersonation?: ImpersonatedBy
  /** Warnings for the client, in order, without duplicates. */
  readonly warnings: Set<string>
  /** Further headers of the response. */
  readonly headers: Record<string, string>
  /** Whether the verb, resource and subresource exist. If not, the client invented the names, and they must not become metric labels. */
  isKnown: boolean
  /** Set by the stage that responds; later stages do not run. */
  response: ApiResponse | undefined
  /** The decision of the current stage and its reason, for the trace. */
  decision: string
  reason: string
  /** Called at the deadline. Stops a wait, and returns the error for the client. */
  whenLate?: (() => Error) | undefined
  /** Called when the request ends. */
  listeners?: readonly RequestListener[]
}

/** The audit level at which an annotation is written. `request`: only if the log may contain the body. */
export type Detail = 'metadata' | 'request'

/** Observes a request. Its methods must not throw. */
export interface RequestListener {
  /** Adds an audit annotation. */
  annotate?(name: string, value: string, detail?: Detail): void
  /** Called with the decoded object and its defaults. The object still changes: a listener that stores it must copy it. */
  decoded?(object: object): void
  /** Called when an open-ended response has started. */
  started?(context: RequestContext): void
  /** Called when the request only waits for other clients: it must release what they need. */
  waiting?(context: RequestContext): void
  ended(context: RequestContext, result: RequestResult): void | Promise<void>
}

export interface RequestResult {
  readonly code: number
  /** Why it was rejected, or failed. */
  readonly error?: unknown
  /** Whether the error is a fault of the server. */
  readonly isInternalError?: boolean
}

/** One step of the pipeline. It sets `context.decision`, and throws an `ApiError` to reject the request. */
export interface PipelineStage {
  readonly name: string
  /** Returns a promise only if it must wait. Most stages decide at once, without the cost of a promise. */
  readonly run: (context: RequestContext) => void | Promise<void>
}
