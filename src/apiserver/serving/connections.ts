import type { ServerResponse } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type ConnectionPeer, peerOf } from './peer.js'

/** Takes plain requests one by one. */
export interface RequestLane {
  readonly isIdle: boolean
  /** The connection ends with the answer that is being given. */
  isLast: boolean
}

/** A connection whose handshake is done, and what runs on it. */
export class Connection {
  readonly socket: TLSSocket
  readonly peer: ConnectionPeer
  /** HTTP/1.1, as long as nothing but plain requests come. */
  lane: RequestLane | undefined
  /** HTTP/1.1: the answer to the latest request. Answers go out in order: when it is finished, all before it are. */
  response: ServerResponse | undefined
  /** It left HTTP, and belongs to somebody else. */
  isUpgraded = false
  /** HTTP/2. */
  session: ServerHttp2Session | undefined
  /** Requests of the session that are being answered, and how many it had at all. */
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

  /** The client takes no more requests here; those that run are answered, then the connection is closed. */
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

  /** HTTP/1.1: nothing has moved for some time. Silence alone is no fault: a watch may have nothing to tell. */
  timedOut(): void {
    if (this.isIdle || this.socket.writableLength > 0) this.destroy()
  }

  /** HTTP/2: called now and then. Answers that stall are watched one by one; this closes sessions that have none. */
  sweep(): void {
    const wasUsed = this.allStreams !== this.#allStreamsBefore
    this.#allStreamsBefore = this.allStreams
    if (wasUsed || !this.isIdle) return
    // One that was closed before, and is still there, has a client that takes nothing.
    if (this.session?.closed) this.destroy()
    else this.session?.close()
  }

  destroy(): void {
    if (this.session) this.session.destroy()
    else this.socket.destroy()
  }
}
