import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { ApiRequest, Body, Peer } from '../request/request-context.js'
import { checkDeclaredLength, collect, noBytes } from './body.js'
import { eventOf, type HeaderList, type Responder, wireValue } from './responder.js'
import { signalOf } from './signal.js'
import { parseQuery, type RequestTarget } from './target.js'

/** Created for each request: must stay small, and compute members only on first use. */
export class Http1Request implements ApiRequest {
  readonly path: string
  readonly peer: Peer
  readonly #incoming: IncomingMessage
  readonly #response: ServerResponse | undefined
  readonly search: string
  #query: URLSearchParams | undefined
  #signal: AbortSignal | undefined
  #wasRead = false

  /** Upgrade requests have no response. */
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
    // A client that expects this sends the body only now: not at all if it is rejected.
    if (headers.expect !== undefined && this.#response) sendContinue(this.#response)
    return { bytes: await collect(this.#incoming, limit, () => this.#incoming.complete) }
  }
}

/** Waits until earlier responses on the connection are sent: Node would put the line into the middle of one. */
function sendContinue(response: ServerResponse): void {
  if (response.socket) response.writeContinue()
  else response.once('socket', () => response.headersSent || response.writeContinue())
}

/** Always set explicitly: Node keeps the reason of a response that it failed to send. */
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
    this.#response.write('', 'latin1') // like `flushHeaders`, which would encode the headers twice
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
