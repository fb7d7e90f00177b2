import type { IncomingHttpHeaders } from 'node:http'
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Clock } from '../../base/clock.js'
import type { ApiRequest, Body, Peer } from '../request/request-context.js'
import { checkDeclaredLength, collect, noBytes } from './body.js'
import type { Limits } from './limits.js'
import { eventOf, type HeaderList, type Responder, wireValue } from './responder.js'
import { signalOf } from './signal.js'
import { parseQuery, type RequestTarget } from './target.js'

/** Responses up to this size have no stall timer: it would cost more than the memory that they hold. In bytes. */
const smallResponse = 16 * 1024

/** A client must read a piece of this size within the stall limit. In bytes. */
const pieceSize = 256 * 1024

/** Shared by all requests of a server. */
export interface StreamContext {
  readonly clock: Clock
  readonly limits: Limits
}

/** The headers contain the pseudo-headers; `:authority` is also in `host`. */
export class Http2Request implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly peer: Peer
  readonly #stream: ServerHttp2Stream
  readonly #context: StreamContext
  readonly search: string
  #query: URLSearchParams | undefined
  #signal: AbortSignal | undefined
  #wasRead = false

  constructor(stream: ServerHttp2Stream, options: Http2RequestOptions, context: StreamContext) {
    this.method = options.headers[':method'] as string
    this.path = options.target.path
    this.search = options.target.search
    this.headers = options.headers
    this.rawHeaders = options.rawHeaders
    this.headers.host ??= options.headers[':authority'] as string | undefined
    this.peer = options.peer
    this.#stream = stream
    this.#context = context
  }

  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.search)
    return this.#query
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#stream)
    return this.#signal
  }

  async body(limit: number): Promise<Body> {
    if (this.#wasRead) throw new Error('the body of a request can be read only once')
    this.#wasRead = true
    if (this.#stream.endAfterHeaders) return { bytes: noBytes }
    checkDeclaredLength(this.headers['content-length'], limit)
    const { clock, limits } = this.#context
    const deadline = clock.timer(limits.request, () => this.#stream.close(constants.NGHTTP2_CANCEL))
    try {
      return { bytes: await collect(this.#stream, limit, () => !this.#stream.closed) }
    } finally {
      deadline.cancel()
    }
  }
}

interface Http2RequestOptions {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly target: RequestTarget
  readonly peer: Peer
}

export class Http2Responder implements Responder {
  readonly #stream: ServerHttp2Stream
  readonly #method: string
  readonly #context: StreamContext
  #isForeign = false

  constructor(stream: ServerHttp2Stream, method: string, context: StreamContext) {
    this.#stream = stream
    this.#method = method
    this.#context = context
  }

  whole(code: number, headers: HeaderList, bytes: Uint8Array): void {
    const stream = this.#stream
    if (this.#isGone) return
    const all = headerObject(code, headers)
    if (code !== 204) all['content-length'] = bytes.length
    const endStream = bytes.length === 0 || this.#isBodiless(code)
    stream.respond(all, { endStream })
    if (endStream) return
    if (bytes.length <= pieceSize) this.end(bytes)
    else void this.#pieceByPiece(bytes)
  }

  head(code: number, headers: HeaderList, isForeign = false): void {
    this.#isForeign = isForeign
    if (!this.#isGone) this.#stream.respond(headerObject(code, headers), { endStream: this.#isBodiless(code) })
  }

  write(chunk: Uint8Array): boolean {
    return !this.closed && this.#stream.write(chunk)
  }

  drained(): Promise<void> {
    return this.#isForeign ? eventOf(this.#stream, 'drain') : this.#inTime('drain')
  }

  end(chunk?: Uint8Array): void {
    if (this.closed) return
    this.#stream.end(chunk)
    if (this.#stream.writableLength > smallResponse) void this.#inTime('finish')
  }

  destroy(): void {
    this.#stream.destroy(new Error('the response was cut off'))
  }

  get buffered(): number {
    return this.#stream.writableLength
  }

  get started(): boolean {
    return this.#stream.headersSent
  }

  get closed(): boolean {
    return this.#isGone || this.#stream.writableEnded
  }

  /** The stream of a HEAD response is already ended for writing, but its headers must be sent. */
  get #isGone(): boolean {
    return this.#stream.destroyed || this.#stream.closed
  }

  #isBodiless(code: number): boolean {
    return this.#method === 'HEAD' || code === 204 || code === 304
  }

  /** Sends in pieces: only between them can a stalled client be detected. */
  async #pieceByPiece(bytes: Uint8Array): Promise<void> {
    let start = 0
    for (; start + pieceSize < bytes.length; start += pieceSize)
      if (!this.write(bytes.subarray(start, start + pieceSize))) await this.drained()
    this.end(bytes.subarray(start))
  }

  /** Cuts off a response that the client does not read, even if the connection is busy otherwise. */
  async #inTime(event: 'drain' | 'finish'): Promise<void> {
    const { clock, limits } = this.#context
    const deadline = clock.timer(limits.stall, () => this.#stream.close(constants.NGHTTP2_CANCEL))
    await eventOf(this.#stream, event)
    deadline.cancel()
  }
}

function headerObject(code: number, list: HeaderList): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ':status': code }
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index]!
    const value = wireValue(list[index + 1]!)
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined
    headers[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [String(known), value]
  }
  return headers
}
