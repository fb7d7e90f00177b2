import type { IncomingHttpHeaders } from 'node:http'
import type { ApiResponse } from '../response/response.js'
import type { RequestInfo } from './request-info.js'
import type { RequestUser } from './user.js'

/** A request, whichever transport brought it. */
export interface ApiRequest {
  /** In upper case. */
  readonly method: string
  /** Decoded, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** The query as it came over the wire, without the question mark. */
  readonly search?: string
  /** By name in lower case; several of one name are joined as Node joins them. */
  readonly headers: IncomingHttpHeaders
  /** The same as they came, names and values by turns; see `header-values.ts`. */
  readonly rawHeaders?: readonly string[]
  /** Reads the body, once. Throws `requestEntityTooLarge` where it is longer than `limit` bytes. */
  readonly body: (limit: number) => Promise<Body>
  /** Aborted when the client has gone, or may no longer be served. Made when it is first asked for. */
  readonly signal: AbortSignal
  /** Where the request came from, as far as the transport knows. */
  readonly peer: Peer
}

export type Body =
  /** As it came over the wire; its type stands in the headers. */
  | { readonly bytes: Uint8Array }
  /** From a client in this process: a value that it will not change any more. */
  | { readonly value: unknown }

export interface Peer {
  readonly address: string
  /** The client's certificate, if it showed one that its issuer signed. DER. */
  readonly certificate?: Uint8Array
  /** Who it is, where the transport knows: a component in this process. */
  readonly user?: RequestUser
}

export interface ImpersonatedBy {
  readonly by: RequestUser
  /** The verb that allowed it, if it was one that allows only some requests. */
  readonly constraint: string
}

/** A request on its way through the pipeline, and what the stages have made of it. */
export interface RequestContext {
  /** Only a stage that hands on the same request may put another in its place. */
  request: ApiRequest
  /** The audit id, by which steps, logs and answers are tied to this request. */
  readonly id: string
  /** When it came in, in milliseconds since the epoch. */
  readonly received: number
  /** The same moment on the monotonic clock: durations are measured from here. */
  readonly began: number
  /** When it must have been answered, on the same clock; since the stage `deadline`, and unless it may last for as long as it likes. */
  deadline?: number
  /** What is asked for; since the stage `request-info`. */
  info: RequestInfo
  /** Who asks; since the stage `authentication`. */
  user: RequestUser
  /** Who really asks, where the user is one that somebody acts as; since the stage `impersonation`. */
  impersonation?: ImpersonatedBy
  /** Warnings for the client, in order; each is told once. */
  readonly warnings: Set<string>
  /** Headers of the answer, beyond those that its kind of answer brings. */
  readonly headers: Record<string, string>
  /** Whether what is asked for exists, verb and subresource included: otherwise names are the client's invention, and go into no metric. */
  isKnown: boolean
  /** Set by the stage that answers: the walk ends there. */
  response: ApiResponse | undefined
  /** What the present stage decided and why: told to whoever listens. */
  decision: string
  reason: string
  /** Called when its time is over, by who waits for others: ends that, and gives what the client is told. */
  whenLate?: (() => Error) | undefined
  /** Those who want to know how it ends. */
  listeners?: readonly RequestListener[]
}

/** `request`: only for those who may see what the client sent. */
export type Detail = 'metadata' | 'request'

/** Told of what becomes of a request. Must not throw. */
export interface RequestListener {
  /** Something that may matter to those who look at the request later. */
  annotate?(name: string, value: string, detail?: Detail): void
  /** What the client sent, once it is understood, with its defaults. It goes on to change: who keeps it must copy it. */
  decoded?(object: object): void
  /** The answer goes on for as long as the client likes, and has begun. */
  started?(context: RequestContext): void
  /** From here on it does nothing but wait for what others do: whatever it holds back from them, it can do without. */
  waiting?(context: RequestContext): void
  ended(context: RequestContext, outcome: RequestResult): void | Promise<void>
}

export interface RequestResult {
  readonly code: number
  /** Why it was refused, or failed. */
  readonly error?: unknown
  /** It failed by a mistake in the server. */
  readonly isInternalError?: boolean
}

/** One step of a request's way. It says in `exchange.decision` what it decided, and throws an `ApiError` to refuse. */
export interface PipelineStage {
  readonly name: string
  /** Only returns a promise when it must wait: most stages decide at once, and cost nothing but their decision. */
  readonly run: (context: RequestContext) => void | Promise<void>
}
