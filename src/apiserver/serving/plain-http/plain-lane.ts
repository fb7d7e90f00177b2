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
  /** Leaves the connection to Node's own server, as if it had just been made. */
  readonly leave: () => void
}

/** Beyond this, a client that sends before it is answered is not listened to. */
const mostEarly = 64 * 1024

const nothing = Buffer.alloc(0)

/**
 * A connection of HTTP/1.1 on which nothing but plain requests have come so far, one after the other: each is read and answered here, in
 * two thirds of the time that Node takes for it (docs/decisions/015). With the first one that is not plain the connection goes over to
 * Node, for good.
 */
export class PlainLane implements ResponseLane, RequestLane {
  readonly socket: TLSSocket
  readonly #options: PlainLaneOptions
  readonly #reader: PlainReader
  #answering: PlainResponder | undefined
  /** What came before the last answer was given. */
  #early = nothing
  /** When to look whether a connection that has served is silent for too long. */
  readonly #period: number
  /** For how long nothing has moved, as far as that is known. */
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
    socket.on('timeout', this.#quiet)
    socket.on('close', this.#gone)
  }

  get isIdle(): boolean {
    return this.#answering === undefined
  }

  get date(): string {
    return this.#options.date.text
  }

  get idleSeconds(): number {
    return Math.floor(this.#options.limits.idle / 1000)
  }

  readonly #take = (chunk: Buffer): void => {
    // It crossed with the end of the connection: nobody could be told what became of it, so that nothing does.
    if (this.socket.writableEnded) return void this.socket.destroy()
    if (this.#answering) return void this.#keep(chunk)
    const message = this.#reader.read(chunk)
    if (!message) return void this.#leave(chunk)
    if (message.head.isLast) this.isLast = true
    this.#restart()
    const respond = new PlainResponder(this)
    this.#answering = respond
    const { dispatcher } = this.#options
    const target = parseTarget(message.url)
    if (!target) dispatcher.reject(respond)
    else dispatcher.run(new PlainRequest(message, target, respond, this.#options.peer), respond)
  }

  /** Reading goes on for a while, because only who reads hears that the client goes. */
  #keep(chunk: Buffer): void {
    this.#early = Buffer.concat([this.#early, chunk])
    if (this.#early.length > mostEarly) this.socket.pause()
  }

  /** Who does not take an answer is not asked for the next request. */
  answered(): void {
    if (this.socket.writableNeedDrain) this.socket.once('drain', this.#goOn)
    else this.#goOn()
  }

  readonly #goOn = (): void => {
    this.#answering = undefined
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
    socket.off('timeout', this.#quiet)
    socket.off('close', this.#gone)
    // Node takes what comes next from below the stream. It must not do so before it has had this, and what the stream may hold by now.
    socket.pause()
    this.#options.leave()
    socket.unshift(chunk)
    socket.resume()
  }

  readonly #over = (): void => {
    this.socket.end()
  }

  /** 'close' follows, and tells those whom it concerns. */
  readonly #failed = (): void => {}

  readonly #gone = (): void => {
    this.#answering?.gone()
  }

  /** From its first request on, a connection may be silent for longer. Reading and writing set the timer back by themselves. */
  #restart(): void {
    this.#silent = 0
    this.#hasServed = true
    if (this.socket.timeout !== this.#period) this.socket.setTimeout(this.#period)
  }

  readonly #quiet = (): void => {
    const { socket } = this
    this.#silent += socket.timeout ?? 0
    const left = this.#patience - this.#silent
    if (left > 0) return void socket.setTimeout(left)
    if (this.isIdle || socket.writableLength > 0) return void socket.destroy()
    // Silence alone is no fault while there is an answer to come: a watch may have nothing to tell.
    this.#silent = 0
    socket.setTimeout(this.#period)
  }

  /** For how long this connection may be silent as it stands. */
  get #patience(): number {
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
