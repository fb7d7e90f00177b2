import { type IncomingHttpHeaders, performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import type { Environment } from '../../base/environment.js'
import type { Connection } from './connections.js'
import type { Dispatcher } from './dispatch.js'
import { Http2Request, Http2Responder } from './http2.js'
import type { Limits } from './limits.js'
import { parseTarget } from './target.js'

/** For a body on its way up. */
const uploadWindow = 256 * 1024

/**
 * Node counts what waits to be sent towards this, and refuses new requests beyond it, so it must be more than a few large
 * lists. What holds memory back are the limits on stalling, and those on watchers.
 */
const sessionMegabytes = 1024

export interface SessionOptions {
  readonly dispatcher: Dispatcher
  readonly environment: Environment
  readonly limits: Limits
}

/** Serves HTTP/2 on a connection for as long as it lasts. */
export function serveSession(connection: Connection, { dispatcher, environment, limits }: SessionOptions): void {
  const session = performServerHandshake(connection.socket, {
    settings: {
      maxConcurrentStreams: limits.streams,
      initialWindowSize: uploadWindow,
      maxHeaderListSize: limits.headerBytes,
    },
    maxSessionMemory: sessionMegabytes,
    // Limited in bytes: somebody may be in many groups, each of which is a header when he is impersonated.
    maxHeaderListPairs: 4096,
  })
  connection.session = session
  const context = { clock: environment.clock, limits }
  const left = () => connection.streams--
  session.on(
    'stream',
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) => {
      connection.streams++
      connection.allStreams++
      stream.on('close', left)
      stream.on('error', ignore)
      const respond = new Http2Responder(stream, headers[':method'] ?? '', context)
      const target = parseTarget(headers[':path'] ?? '')
      if (!target) dispatcher.reject(respond)
      else
        dispatcher.run(
          new Http2Request(stream, { headers, rawHeaders, target, peer: connection.peer }, context),
          respond,
        )
    },
  )
  session.on('error', (error: Error) => environment.log.debug('a connection of HTTP/2 broke', { error }))
  const stopSweeping = sweepNowAndThen(connection, Math.min(limits.idle, limits.stall), environment)
  session.on('close', stopSweeping)
}

/** The client reset a stream, or the connection broke: 'close' follows, and tells those whom it concerns. */
function ignore(): void {}

/** Not by a timeout of the session, which would be set again with every frame. */
function sweepNowAndThen(connection: Connection, period: number, { clock }: Environment): () => void {
  const sweep = () => {
    timer = clock.timer(period, sweep)
    connection.sweep()
  }
  let timer = clock.timer(period, sweep)
  return () => timer.cancel()
}
