import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../../base/clock.js'
import type { Peer } from '../../request/request-context.js'
import type { RequestLane } from '../connections.js'
import type { Dispatcher } from '../dispatch.js'
import type { Limits } from '../limits.js'
import { parseTarget } from '../target.js'
import { PlainReader, PlainRequest } from './plain-request.js'
import { PlainResponder, type ResponseLane } from './plain-responder.js'

export interface PlainLaneOptions {
  readonly socket: TLSSocket
  readonly peer: Peer
  readonly dispatcher: Dispatcher
  readonly limits: Limits
  readonly date: HttpDate
  /** Passes the connection to Node's server, as if it were new. */
  readonly leave: () => void
}

/** If a client sends more than this before the response, the lane stops reading. In bytes. */
const maxEarlyBytes = 64 * 1024

const nothing = Buffer.alloc(0)

/**
 * An HTTP/1.1 connection that has had only plain requests so far, one after the other. Handles them in two thirds of the time that Node's
 * server needs (docs/decisions/015). With the first request that is not plain, the connection passes to Node's server for good.
 */
export class PlainLane implements ResponseLane, RequestLane {
  readonly socket: TLSSocket
  readonly #options: PlainLaneOptions
  readonly #reader: PlainReader
  #responder: PlainResponder | undefined
  /** Bytes that arrived before the end of the current response. */
  #early = nothing
  /** Interval of the check for silent connections, in milliseconds. */
  readonly #period: number
  /** Time without traffic, in milliseconds, as of the last check. */
  #silent = 0
  #hasServed = false
  isLast = false

  constructor(options: PlainLaneOptions) {
    this.socket = options.socket
    this.#options = options
    this.#reader = new PlainReader(options.limits.headerBytes)
    const { socket, limits } = options
    this.#period = Math.min(limits.idle, limits.stall)
    socket.setTimeout(limits.headers)
    socket.on('data', this.#take)
    socket.on('end', this.#over)
    socket.on('error', this.#failed)
    socket.on('timeout', this.#onTimeout)
    socket.on('close', this.#gone)
  }

  get isIdle(): boolean {
    return this.#responder === undefined
  }

  get date(): string {
    return this.#options.date.text
  }

  get idleSeconds(): number {
    return Math.floor(this.#options.limits.idle / 1000)
  }

  readonly #take = (chunk: Buffer): void => {
    // The request arrived while the server closed the connection: it could get no response, so it must not run.
    if (this.socket.writableEnded) return void this.socket.destroy()
    if (this.#responder) return void this.#buffer(chunk)
    const message = this.#reader.read(chunk)
    if (!message) return void this.#leave(chunk)
    if (message.head.isLast) this.isLast = true
    this.#restart()
    const respond = new PlainResponder(this)
    this.#responder = respond
    const { dispatcher } = this.#options
    const target = parseTarget(message.url)
    if (!target) dispatcher.reject(respond)
    else dispatcher.run(new PlainRequest(message, target, respond, this.#options.peer), respond)
  }

  /** Reads on for a while: only a socket that is read reports that the client has disconnected. */
  #buffer(chunk: Buffer): void {
    this.#early = Buffer.concat([this.#early, chunk])
    if (this.#early.length > maxEarlyBytes) this.socket.pause()
  }

  /** Reads the next request only when the client has read the response. */
  answered(): void {
    if (this.socket.writableNeedDrain) this.socket.once('drain', this.#goOn)
    else this.#goOn()
  }

  readonly #goOn = (): void => {
    this.#responder = undefined
    if (this.isLast) return void this.socket.end()
    if (this.#silent > 0) this.#restart()
    const early = this.#early
    if (early.length === 0) return
    this.#early = nothing
    this.socket.resume()
    this.#take(early)
  }

  #leave(chunk: Buffer): void {
    const { socket } = this
    socket.off('data', this.#take)
    socket.off('end', this.#over)
    socket.off('error', this.#failed)
    socket.off('timeout', this.#onTimeout)
    socket.off('close', this.#gone)
    // Node reads from the handle below the stream. It must first get this chunk, and what the stream has buffered.
    socket.pause()
    this.#options.leave()
    socket.unshift(chunk)
    socket.resume()
  }

  readonly #over = (): void => {
    this.socket.end()
  }

  /** 'close' follows. */
  readonly #failed = (): void => {}

  readonly #gone = (): void => {
    this.#responder?.gone()
  }

  /** After its first request, a connection may be silent for longer. Reads and writes reset the timer of the socket. */
  #restart(): void {
    this.#silent = 0
    this.#hasServed = true
    if (this.socket.timeout !== this.#period) this.socket.setTimeout(this.#period)
  }

  readonly #onTimeout = (): void => {
    const { socket } = this
    this.#silent += socket.timeout ?? 0
    const left = this.#allowedSilence - this.#silent
    if (left > 0) return void socket.setTimeout(left)
    if (this.isIdle || socket.writableLength > 0) return void socket.destroy()
    // Silence is no fault during a response: a watch may have no events.
    this.#silent = 0
    socket.setTimeout(this.#period)
  }

  /** The allowed silence in the current state, in milliseconds. */
  get #allowedSilence(): number {
    const { idle, stall, headers } = this.#options.limits
    if (!this.isIdle || this.socket.writableLength > 0) return stall
    return this.#hasServed ? idle : headers
  }
}

/** The current time in the form of the header `Date`, formatted once a second for all connections of a server. */
export class HttpDate {
  readonly #clock: Clock
  #second = Number.NaN
  #text = ''

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get text(): string {
    const milliseconds = this.#clock.now()
    const second = Math.floor(milliseconds / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#text = new Date(milliseconds).toUTCString()
    }
    return this.#text
  }
}
