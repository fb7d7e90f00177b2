import type { IncomingHttpHeaders } from 'node:http'
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Clock } from '../../base/clock.js'
import type { ApiRequest, Body, Peer } from '../exchange.js'
import { ClientGone, checkDeclaredLength, collect, noBytes } from './body.js'
import type { Limits } from './limits.js'
import { drainOf, type HeaderList, type Responder } from './responder.js'
import { parseQuery, type Target } from './target.js'

/** What all requests of a server share. */
export interface StreamContext {
  readonly clock: Clock
  readonly limits: Limits
}

/** The headers keep the names that begin with a colon; what they say stands in `host`, too. */
export class Http2Request implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly peer: Peer
  readonly #stream: ServerHttp2Stream
  readonly #context: StreamContext
  readonly #search: string
  #query: URLSearchParams | undefined
  #signal: AbortSignal | undefined
  #wasRead = false

  constructor(stream: ServerHttp2Stream, parts: StreamParts, context: StreamContext) {
    this.method = parts.headers[':method'] as string
    this.path = parts.target.path
    this.#search = parts.target.search
    this.headers = parts.headers
    this.rawHeaders = parts.rawHeaders
    this.headers.host ??= parts.headers[':authority'] as string | undefined
    this.peer = parts.peer
    this.#stream = stream
    this.#context = context
  }

  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.#search)
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
      return { bytes: await collect(this.#stream, limit) }
    } finally {
      deadline.cancel()
    }
  }
}

interface StreamParts {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly target: Target
  readonly peer: Peer
}

function signalOf(stream: ServerHttp2Stream): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!stream.writableFinished) controller.abort(new ClientGone('the client has gone'))
  }
  if (stream.destroyed) abort()
  else stream.once('close', abort)
  return controller.signal
}

export class Http2Responder implements Responder {
  readonly #stream: ServerHttp2Stream
  readonly #method: string
  readonly #limits: Limits

  constructor(stream: ServerHttp2Stream, method: string, limits: Limits) {
    this.#stream = stream
    this.#method = method
    this.#limits = limits
  }

  whole(code: number, headers: HeaderList, bytes: Uint8Array): void {
    const stream = this.#stream
    if (stream.destroyed || stream.closed) return
    const all = headerObject(code, headers)
    if (code !== 204) all['content-length'] = bytes.length
    const endStream = bytes.length === 0 || this.#isBodiless(code)
    stream.respond(all, { endStream })
    if (endStream) return
    stream.end(bytes)
    if (stream.writableLength > 0) this.#watchForStall()
  }

  head(code: number, headers: HeaderList): void {
    const stream = this.#stream
    if (!stream.destroyed && !stream.closed)
      stream.respond(headerObject(code, headers), { endStream: this.#isBodiless(code) })
  }

  write(chunk: Uint8Array): boolean {
    if (!this.#stream.writable) return false
    return this.#stream.write(chunk)
  }

  drained(): Promise<void> {
    this.#watchForStall()
    return drainOf(this.#stream)
  }

  end(chunk?: Uint8Array): void {
    if (this.#stream.writable) this.#stream.end(chunk)
  }

  destroy(): void {
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }

  get buffered(): number {
    return this.#stream.writableLength
  }

  get started(): boolean {
    return this.#stream.headersSent
  }

  get closed(): boolean {
    return this.#stream.destroyed || this.#stream.closed || this.#stream.writableFinished
  }

  #isBodiless(code: number): boolean {
    return this.#method === 'HEAD' || code === 204 || code === 304
  }

  /** A client may keep its connection busy and still give no room to one of its answers. */
  #watchForStall(): void {
    const stream = this.#stream
    stream.setTimeout(this.#limits.stall, () => {
      if (stream.writableLength > 0) stream.close(constants.NGHTTP2_CANCEL)
    })
  }
}

function headerObject(code: number, list: HeaderList): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ':status': code }
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index]!
    const value = list[index + 1]!
    const known = headers[name]
    headers[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [String(known), value]
  }
  return headers
}
