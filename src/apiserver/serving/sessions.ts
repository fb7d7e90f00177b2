import { type IncomingHttpHeaders, performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import type { Environment } from '../../base/environment.js'
import type { Connection } from './connections.js'
import type { Dispatcher } from './dispatch.js'
import { Http2Request, Http2Responder } from './http2.js'
import type { Limits } from './limits.js'
import { parseTarget } from './target.js'

/** Window for request bodies, in bytes. */
const uploadWindow = 256 * 1024

/**
 * Node counts buffered responses towards this limit, and rejects requests beyond it: it must be more than a few large lists. The stall limit
 * and the limits of watches bound memory.
 */
const sessionMegabytes = 1024

export interface SessionOptions {
  readonly dispatcher: Dispatcher
  readonly environment: Environment
  readonly limits: Limits
}

/** Serves HTTP/2 on a connection until it closes. */
export function serveSession(connection: Connection, { dispatcher, environment, limits }: SessionOptions): void {
  const session = performServerHandshake(connection.socket, {
    settings: {
      maxConcurrentStreams: limits.streams,
      initialWindowSize: uploadWindow,
      maxHeaderListSize: limits.headerBytes,
    },
    maxSessionMemory: sessionMegabytes,
    // The limit is in bytes: an impersonated user may have many groups, each with a header.
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
  session.on('error', (error: Error) => environment.log.debug('HTTP/2 connection failed', { error }))
  const stopSweeping = sweepPeriodically(connection, Math.min(limits.idle, limits.stall), environment)
  session.on('close', stopSweeping)
}

/** The client has reset a stream, or the connection has failed: 'close' follows, and has its own listeners. */
function ignore(): void {}

/** Not a timeout of the session: every frame would reset it. */
function sweepPeriodically(connection: Connection, period: number, { clock }: Environment): () => void {
  const sweep = () => {
    timer = clock.timer(period, sweep)
    connection.sweep()
  }
  let timer = clock.timer(period, sweep)
  return () => timer.cancel()
}
