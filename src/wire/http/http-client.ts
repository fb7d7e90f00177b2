import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { whenAborted } from '../../base/abort.js'
import { HttpResponse } from './http-response.js'
import { startIdleTimer, type Timeout } from './timeouts.js'

export interface HttpRequest {
  /** GET by default. */
  readonly method?: string
  readonly url: string | URL
  /** The request target, sent exactly as written; by default path and query of `url`. */
  readonly target?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array | undefined
  /** Returns the pool of connections; by default a request has a connection of its own. Called again before the request is resent. */
  readonly agent?: (isSecure: boolean) => HttpAgent
  /** For a connection of its own; a pool has its own TLS options. */
  readonly tls?: HttpTlsOptions
  /** Each of them ends the request: before the response it rejects with the reason of the signal, later the body fails with it. */
  readonly signals?: readonly AbortSignal[]
  /** Bounds the time until the connection is established, TLS included. */
  readonly connectTimeout?: Timeout
  /** Bounds the whole request, the body of the response included. */
  readonly timeout?: Timeout
  /** Bounds the silence of the server before the response and between the parts of its body. */
  readonly idleTimeout?: Timeout
  /** Whether a response may switch to another protocol. Without it such a response is an `UnexpectedUpgradeError`. */
  readonly allowUpgrade?: boolean
  /** Whether the request is sent again if a reused connection breaks before the response. */
  readonly isRepeatable?: boolean
  readonly maxHeaderBytes?: number
}

/** Certificates and keys are in PEM form. */
export interface HttpTlsOptions {
  readonly ca?: string | undefined
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
  /** Accepts any certificate of the server. */
  readonly insecure?: boolean
}

/** The server switched to another protocol, which the request did not allow. The connection is closed. */
export class UnexpectedUpgradeError extends Error {
  override readonly name = 'UnexpectedUpgradeError'
  readonly protocol: string

  constructor(protocol: string) {
    super('the server switched to another protocol without a request to do so')
    this.protocol = protocol
  }
}

/**
 * Sends a request, and resolves when the head of the response is there, whatever its status. Rejects if there is no response. The body
 * fails, and never just ends, if the connection breaks.
 */
export async function sendHttp(request: HttpRequest): Promise<HttpResponse> {
  for (;;) {
    for (const signal of request.signals ?? []) signal.throwIfAborted()
    const attempt = new Attempt(request)
    try {
      return await attempt.response()
    } catch (error) {
      if (!(request.isRepeatable && attempt.isStale(error))) throw error
    }
  }
}

/** Creates pools of keep-alive connections: one for HTTP, and one for HTTPS. `timeout` closes connections that are idle for so many milliseconds. */
export function keepAliveAgents(
  tls: HttpTlsOptions = {},
  options: { readonly maxSockets?: number; readonly timeout?: number } = {},
) {
  const http = new HttpAgent({ keepAlive: true, ...options })
  const https = new HttpsAgent({ keepAlive: true, ...options, ...nodeTlsOptions(tls) })
  return (isSecure: boolean): HttpAgent => (isSecure ? https : http)
}

function nodeTlsOptions({ insecure = false, ca, ...tls }: HttpTlsOptions) {
  return { rejectUnauthorized: !insecure, ...(ca !== undefined && { ca }), ...tls }
}

function open(request: HttpRequest): ClientRequest {
  const { method = 'GET', target, agent, tls = {}, maxHeaderBytes } = request
  const url = typeof request.url === 'string' ? new URL(request.url) : request.url
  const isSecure = url.protocol === 'https:'
  const options = {
    method,
    headers: headersOf(request),
    agent: agent?.(isSecure) ?? (false as const),
    ...(target !== undefined && { path: target, auth: null }),
    ...(maxHeaderBytes !== undefined && { maxHeaderSize: maxHeaderBytes }),
  }
  if (!isSecure) {
    const plain = { ...options, servername: '' } // otherwise Node derives it from the Host header, even if it is not needed
    return requestHttp(url, plain)
  }
  return requestHttps(url, agent ? options : { ...options, ...nodeTlsOptions(tls) })
}

/** Node sets the length of a body only for methods that usually have one. */
function headersOf({ headers = {}, body }: HttpRequest): OutgoingHttpHeaders {
  if (!body || body.length === 0) return headers
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'content-length')) return headers
  return { ...headers, 'content-length': Buffer.byteLength(body) }
}

/** After so many milliseconds of silence the system checks whether the other side is still there: every second, ten times. */
const keepAliveDelay = 30_000

/** Without this a connection on which nothing is sent, such as a watch, would not notice that the other side is gone. */
export function detectLoss(socket: Socket): void {
  socket.setKeepAlive(true, keepAliveDelay)
}

const resetCodes = ['ECONNRESET', 'EPIPE']

class Attempt {
  readonly #request: HttpRequest
  readonly #outgoing: ClientRequest
  /** The socket, after an upgrade. */
  #connection: ClientRequest | Duplex
  #message: IncomingMessage | undefined
  /** Set if this side ended the request. */
  #ended: { readonly reason: unknown } | undefined
  #releases: (() => void)[] = []

  constructor(request: HttpRequest) {
    this.#request = request
    this.#outgoing = open(request)
    this.#connection = this.#outgoing
  }

  response(): Promise<HttpResponse> {
    const { signals = [], timeout, body } = this.#request
    const outgoing = this.#outgoing
    const idle = this.#idleTimer()
    this.#releases.push(...signals.map((signal) => whenAborted(signal, () => this.#end(signal.reason))))
    this.#startTimer(timeout)
    this.#startConnectTimer()
    outgoing.once('socket', (socket) => socket.connecting && detectLoss(socket))
    outgoing.once('close', () => this.#connection === outgoing && this.#release())
    return new Promise((resolve, reject) => {
      outgoing.on('response', (message) => {
        this.#message = message
        message.on('error', () => {}) // for a body that nobody reads; a reader sees the error itself
        resolve(new HttpResponse(message, { idle }))
      })
      outgoing.on('upgrade', (message, socket, head) => {
        this.#connection = socket
        socket.on('error', () => {}) // 'close' follows
        socket.once('close', () => this.#release())
        if (this.#request.allowUpgrade) return resolve(new HttpResponse(message, { upgraded: { socket, head } }))
        socket.destroy()
        reject(new UnexpectedUpgradeError(message.headers.upgrade ?? ''))
      })
      outgoing.on('error', (error) => {
        this.#message?.destroy(error) // a body that ends with its connection would look complete
        reject(this.#ended ? this.#ended.reason : error)
      })
      outgoing.end(body)
    })
  }

  isStale(error: unknown): boolean {
    const { code = '' } = error as NodeJS.ErrnoException
    return this.#outgoing.reusedSocket && !this.#ended && resetCodes.includes(code)
  }

  #end(reason: unknown): void {
    this.#ended ??= { reason }
    this.#release()
    const error = reason instanceof Error ? reason : new Error(String(reason))
    this.#message?.destroy(error)
    this.#connection.destroy(error)
  }

  #release(): void {
    for (const release of this.#releases) release()
    this.#releases = []
  }

  #startTimer(timeout: Timeout | undefined): (() => void) | undefined {
    if (!timeout) return undefined
    const { clock, milliseconds, error } = timeout
    const timer = clock.timer(milliseconds, () => this.#end(error()))
    const cancel = () => timer.cancel()
    this.#releases.push(cancel)
    return cancel
  }

  #startConnectTimer(): void {
    const cancel = this.#startTimer(this.#request.connectTimeout)
    if (!cancel) return
    this.#outgoing.once('socket', (socket) => {
      if (!socket.connecting) return cancel() // a pooled connection
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', cancel)
    })
  }

  #idleTimer() {
    const { idleTimeout } = this.#request
    if (!idleTimeout) return undefined
    const timer = startIdleTimer(idleTimeout, (error) => this.#end(error))
    this.#releases.push(timer.stop)
    return timer
  }
}
