import type { Readable } from 'node:stream'
import { type ApiError, hasReason } from '../../api/errors.js'
import { type Clock, sleep } from '../../base/clock.js'
import type { ApiConnection } from '../../client/https/api-connection.js'
import { responseError, warningsOf } from '../../client/https/response-reader.js'
import { watchEvents } from '../../client/https/watch-events.js'
import { maxRetries, retryDelay } from '../../client/retries.js'
import type { HttpResponse } from '../../wire/http/http-response.js'
import { queryText, type RestRequest, type SentRequest } from './request.js'
import type { RequestLog } from './request-log.js'
import { unreachable } from './unreachable-error.js'

export interface RestOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  readonly connection: Pick<ApiConnection, 'send'>
  readonly log: RequestLog
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds that a request may take. Unlimited by default. */
  readonly timeout?: number | undefined
  /** Receives each warning of a response. */
  readonly warn: (warning: string) => void
}

export interface RestEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: Readonly<Record<string, unknown>>
}

/** Requests to an API server in terms of paths and JSON. Throws an `ApiError` if the server rejects a request. */
export class Rest {
  readonly #options: RestOptions

  constructor(options: RestOptions) {
    this.#options = options
  }

  get server(): string {
    return this.#options.server
  }

  async json<T = Readonly<Record<string, unknown>>>(request: RestRequest): Promise<T> {
    const text = (await this.bytes(request)).toString()
    try {
      return JSON.parse(text) as T
    } catch (error) {
      throw new Error('the response of the server is not JSON', { cause: error })
    }
  }

  async bytes(request: RestRequest): Promise<Buffer> {
    const body = await (await this.#send(request)).decodedBytes()
    this.#options.log.body('Response Body', body)
    return body
  }

  /** Returns the body while it arrives. */
  async stream(request: RestRequest): Promise<Readable> {
    return (await this.#send(request)).decodedBody()
  }

  /** Ends when the server ends it, or with the signal. */
  async *watch(request: RestRequest): AsyncIterable<RestEvent> {
    const signal = request.signal ?? this.#options.signal
    for await (const batch of watchEvents(await this.stream(request), () => signal.aborted))
      for (const { type, object } of batch) yield { type, object: object.object as unknown as RestEvent['object'] }
  }

  /** Sends a request again if the server asks to come back later. */
  async #send(request: RestRequest): Promise<HttpResponse> {
    for (let retries = 0; ; retries++)
      try {
        return await this.#sendOnce(request)
      } catch (error) {
        const delay = retryDelay(error)
        if (delay === undefined || retries === maxRetries) throw error
        await sleep(this.#options.clock, delay, request.signal ?? this.#options.signal)
      }
  }

  async #sendOnce(request: RestRequest): Promise<HttpResponse> {
    const { log, warn } = this.#options
    const sent = this.#sent(request)
    const response = await log.timed(`${this.server}${sent.target}`, sent, () => this.#dispatch(sent))
    for (const warning of warningsOf(response)) warn(warning)
    if (response.status < 400) return response
    const body = await response.decodedBytes()
    log.body('Response Body', body)
    throw responseError(sent.method, response, body.toString())
  }

  async #dispatch({ method, target, headers, data, signal }: SentRequest): Promise<HttpResponse> {
    const { connection, clock, timeout } = this.#options
    const limit = timeout === undefined ? {} : { timeout: { clock, milliseconds: timeout, error: timeoutError } }
    try {
      return await connection.send({ method, path: target, headers, body: data, signals: [signal], ...limit })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw unreachable(error, this.server)
    }
  }

  #sent({ method = 'GET', path, query = {}, body, contentType, accept, signal }: RestRequest): SentRequest {
    const data = body === undefined ? undefined : encodeBody(body)
    const headers = {
      Accept: accept ?? 'application/json',
      ...(data && { 'Content-Type': contentType ?? 'application/json', 'Content-Length': String(data.length) }),
    }
    return { method, target: `${path}${queryText(query)}`, headers, data, signal: signal ?? this.#options.signal }
  }
}

function encodeBody(body: unknown): Buffer {
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
}

function timeoutError(): Error {
  return new Error('net/http: request canceled (Client.Timeout exceeded while awaiting headers)')
}

export function isNotFound(error: unknown): error is ApiError {
  return hasReason(error, 'NotFound')
}
