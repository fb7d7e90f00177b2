import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { ApiRequest, Body, Peer } from '../request/request-context.js'
import { checkDeclaredLength, collect, noBytes } from './body.js'
import { eventOf, type HeaderList, type Responder, wireValue } from './responder.js'
import { signalOf } from './signal.js'
import { parseQuery, type RequestTarget } from './target.js'

/** One of these is made for each request: it must stay small, and work out nothing that nobody asks for. */
export class Http1Request implements ApiRequest {
  readonly path: string
  readonly peer: Peer
  readonly #incoming: IncomingMessage
  readonly #response: ServerResponse | undefined
  readonly search: string
  #query: URLSearchParams | undefined
  #signal: AbortSignal | undefined
  #wasRead = false

  /** Requests to leave HTTP have no response. */
  constructor(incoming: IncomingMessage, response: ServerResponse | undefined, target: RequestTarget, peer: Peer) {
    this.path = target.path
    this.search = target.search
    this.#incoming = incoming
    this.#response = response
    this.peer = peer
  }

  get method(): string {
    return this.#incoming.method!
  }

  get headers(): IncomingHttpHeaders {
    return this.#incoming.headers
  }

  get rawHeaders(): readonly string[] {
    return this.#incoming.rawHeaders
  }

  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.search)
    return this.#query
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#response ?? this.#incoming.socket)
    return this.#signal
  }

  async body(limit: number): Promise<Body> {
    if (this.#wasRead) throw new Error('the body of a request can be read only once')
    this.#wasRead = true
    const { headers } = this.#incoming
    const declared = headers['content-length']
    if (declared === undefined && headers['transfer-encoding'] === undefined) return { bytes: noBytes }
    checkDeclaredLength(declared, limit)
    // A client that waits for this sends nothing before; one whose body is refused is spared the sending.
    if (headers.expect !== undefined && this.#response) sendContinue(this.#response)
    return { bytes: await collect(this.#incoming, limit, () => this.#incoming.complete) }
  }
}

/** Not before it is its turn: Node would put it between head and body of the answer while the answer before is still leaving. */
function sendContinue(response: ServerResponse): void {
  if (response.socket) response.writeContinue()
  else response.once('socket', () => response.headersSent || response.writeContinue())
}

/** Said each time: Node remembers the one of an answer that it refused to send. */
function reasonOf(code: number): string {
  return STATUS_CODES[code] ?? 'unknown'
}

export class Http1Responder implements Responder {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  whole(code: number, headers: HeaderList, bytes: Uint8Array): void {
    const response = this.#response
    if (response.destroyed) return
    const list = headers.map(wireValue)
    if (code !== 204) list.push('content-length', String(bytes.length))
    response.writeHead(code, reasonOf(code), list)
    response.end(bytes)
  }

  head(code: number, headers: HeaderList): void {
    if (this.#response.destroyed) return
    this.#response.writeHead(code, reasonOf(code), headers.map(wireValue))
    this.#response.write('', 'latin1') // as `flushHeaders`, which would encode what is encoded already
  }

  write(chunk: Uint8Array): boolean {
    return !this.closed && this.#response.write(chunk)
  }

  drained(): Promise<void> {
    return eventOf(this.#response, 'drain')
  }

  end(chunk?: Uint8Array): void {
    if (!this.closed) this.#response.end(chunk)
  }

  destroy(): void {
    this.#response.destroy()
  }

  get buffered(): number {
    return this.#response.writableLength
  }

  get started(): boolean {
    return this.#response.headersSent
  }

  get closed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }
}
