import type { IncomingMessage } from 'node:http'
import { ApiError, hasReason } from '../../api/errors.js'
import type { Status } from '../../api/meta/v1/status.js'
import { serverResponse } from '../../api/server-response.js'
import { type Clock, sleep } from '../../base/clock.js'
import { warningsOf } from '../../client/https/warnings.js'
import { watchEvents } from '../../client/https/watch-events.js'
import { queryText } from './query-text.js'
import type { RestRequest, SentRequest } from './request.js'
import type { RequestLog } from './request-log.js'
import { unreachable } from './unreachable-error.js'

/** Sends one request, and resolves with the head of the answer. */
export type Dispatch = (request: SentRequest) => Promise<IncomingMessage>

export interface RestParts {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  readonly dispatch: Dispatch
  readonly log: RequestLog
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Is told each warning that comes with an answer. */
  readonly warn: (warning: string) => void
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: Readonly<Record<string, unknown>>
}

/** Times that a server may ask to come back later. */
const mostRetries = 10

/** Requests to an API server in terms of paths and JSON. Throws an `ApiError` where the server refuses. */
export class Rest {
  readonly #parts: RestParts

  constructor(parts: RestParts) {
    this.#parts = parts
  }

  get server(): string {
    return this.#parts.server
  }

  /** The answer as JSON. */
  async json<T = Readonly<Record<string, unknown>>>(request: RestRequest): Promise<T> {
    const text = (await this.bytes(request)).toString()
    try {
      return JSON.parse(text) as T
    } catch (error) {
      throw new Error('the server answered with what is no JSON', { cause: error })
    }
  }

  async bytes(request: RestRequest): Promise<Buffer> {
    const message = await this.stream(request)
    const body = await bodyOf(message)
    this.#parts.log.body('Response Body', body)
    return body
  }

  /** The answer while it comes. */
  async stream(request: RestRequest): Promise<IncomingMessage> {
    for (let retries = 0; ; retries++)
      try {
        return await this.#attempt(request)
      } catch (error) {
        const delay = delayAfter(error)
        if (delay === undefined || retries === mostRetries) throw error
        await sleep(this.#parts.clock, delay, request.signal ?? this.#parts.signal)
      }
  }

  /** Ends when the server ends it, or with the signal. */
  async *watch(request: RestRequest): AsyncIterable<WatchEvent> {
    const signal = request.signal ?? this.#parts.signal
    const message = await this.stream(request)
    for await (const batch of watchEvents(message, () => signal.aborted))
      for (const { type, object } of batch) yield { type, object: object.object as unknown as WatchEvent['object'] }
  }

  async #attempt(request: RestRequest): Promise<IncomingMessage> {
    const { log, warn } = this.#parts
    const sent = this.#sent(request)
    const message = await log.timed(`${this.server}${sent.target}`, sent, () => this.#dispatched(sent))
    for (const warning of warningsOf(message)) warn(warning)
    const { statusCode: code = 0 } = message
    if (code < 400) return message
    const body = await bodyOf(message)
    log.body('Response Body', body)
    throw refusal(sent.method, message, body.toString())
  }

  async #dispatched(sent: SentRequest): Promise<IncomingMessage> {
    try {
      return await this.#parts.dispatch(sent)
    } catch (error) {
      if (sent.signal?.aborted) throw sent.signal.reason
      throw unreachable(error, this.server)
    }
  }

  #sent({ method = 'GET', path, query = {}, body, contentType, accept, signal }: RestRequest): SentRequest {
    const data =
      body === undefined
        ? undefined
        : body instanceof Uint8Array
          ? Buffer.from(body)
          : Buffer.from(JSON.stringify(body))
    const headers = {
      Accept: accept ?? 'application/json',
      ...(data && { 'Content-Type': contentType ?? 'application/json', 'Content-Length': String(data.length) }),
    }
    return { method, target: `${path}${queryText(query)}`, headers, data, signal: signal ?? this.#parts.signal }
  }
}

/** All of an answer. */
export function bodyOf(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.once('end', () => resolve(Buffer.concat(chunks)))
    message.once('error', reject)
  })
}

function delayAfter(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || !(error.code === 429 || error.code >= 500)) return undefined
  return error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1000
}

/** Whatever stands between may refuse as well, and does not speak of it in the server's way. */
function refusal(method: string, message: IncomingMessage, text: string): ApiError {
  const { statusCode: code = 0, headers } = message
  const wait = headers['retry-after'] ?? ''
  const retryAfterSeconds = /^\d+$/.test(wait) ? { retryAfterSeconds: Number(wait) } : {}
  const status = statusOf(text)
  if (!status) return serverResponse({ code, method, serverMessage: text, ...retryAfterSeconds })
  return new ApiError({ ...status, ...(wait && { details: { ...status.details, ...retryAfterSeconds } }) })
}

function statusOf(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined
  const status = JSON.parse(text) as Status
  return status.kind === 'Status' ? status : undefined
}

export function isNotFound(error: unknown): error is ApiError {
  return hasReason(error, 'NotFound')
}
