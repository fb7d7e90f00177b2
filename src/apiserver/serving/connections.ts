import type { ServerResponse } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type ConnectionPeer, peerOf } from './peer.js'

/** A connection whose handshake is done, and what runs on it. */
export class Connection {
  readonly socket: TLSSocket
  readonly peer: ConnectionPeer
  /** HTTP/1.1: the answer to the latest request. Answers go out in order: when it is finished, all before it are. */
  response: ServerResponse | undefined
  /** It left HTTP, and belongs to somebody else. */
  isUpgraded = false
  /** HTTP/2. */
  session: ServerHttp2Session | undefined
  /** Requests of the session that are being answered. */
  streams = 0

  constructor(socket: TLSSocket) {
    this.socket = socket
    this.peer = peerOf(socket)
  }

  get isIdle(): boolean {
    if (this.session) return this.streams === 0
    if (this.isUpgraded) return false
    return !this.response || this.response.destroyed || this.response.writableFinished
  }

  /** The client takes no more requests here; those that run are answered, then the connection is closed. */
  drain(): void {
    const { session, response, socket } = this
    if (session) session.close()
    else if (this.isIdle) socket.end()
    else if (response) {
      if (!response.headersSent) response.shouldKeepAlive = false
      response.once('close', () => socket.end())
    }
  }

  /** Called when nothing has moved for some time. Silence alone is no fault: a watch may have nothing to tell. */
  timedOut(): void {
    const { session, socket } = this
    if (this.isIdle && session) session.close()
    else if (this.isIdle || socket.writableLength > 0) this.destroy()
  }

  destroy(): void {
    if (this.session) this.session.destroy()
    else this.socket.destroy()
  }
}
