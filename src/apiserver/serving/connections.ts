import type { ServerResponse } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type ConnectionPeer, peerOf } from './peer.js'

/** Handles plain requests one after the other. */
export interface RequestLane {
  readonly isIdle: boolean
  /** Whether the connection closes after the current response. */
  isLast: boolean
}

/** A connection after its handshake, and its requests. */
export class Connection {
  readonly socket: TLSSocket
  readonly peer: ConnectionPeer
  /** HTTP/1.1, as long as all requests are plain. */
  lane: RequestLane | undefined
  /** HTTP/1.1: the response to the latest request. Responses are sent in order: when it is finished, all earlier ones are. */
  response: ServerResponse | undefined
  /** Whether the connection has left HTTP and belongs to the upgrade handler. */
  isUpgraded = false
  /** HTTP/2. */
  session: ServerHttp2Session | undefined
  /** Running requests of the session, and the total of its requests. */
  streams = 0
  allStreams = 0
  #allStreamsBefore = -1

  constructor(socket: TLSSocket) {
    this.socket = socket
    this.peer = peerOf(socket)
  }

  get isIdle(): boolean {
    if (this.lane) return this.lane.isIdle
    if (this.session) return this.streams === 0
    if (this.isUpgraded) return false
    return !this.response || this.response.destroyed || this.response.writableFinished
  }

  /** Closes the connection after its running requests. */
  drain(): void {
    const { session, lane, response, socket } = this
    if (session) session.close()
    else if (this.isIdle) socket.end()
    else if (lane) lane.isLast = true
    else if (response) {
      if (!response.headersSent) response.shouldKeepAlive = false
      response.once('close', () => socket.end())
    }
  }

  /** HTTP/1.1: called after a time without traffic. That alone is no fault: a watch may have no events. */
  timedOut(): void {
    if (this.isIdle || this.socket.writableLength > 0) this.destroy()
  }

  /** HTTP/2: called periodically. Closes idle sessions. Stalled responses have timers of their own. */
  sweep(): void {
    const wasUsed = this.allStreams !== this.#allStreamsBefore
    this.#allStreamsBefore = this.allStreams
    if (wasUsed || !this.isIdle) return
    // The session was closed before, and is still open: the client does not read.
    if (this.session?.closed) this.destroy()
    else this.session?.close()
  }

  destroy(): void {
    if (this.session) this.session.destroy()
    else this.socket.destroy()
  }
}
