import type { IncomingMessage } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { ApiError, badRequest } from '../../api/errors.js'
import type { Clock } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Logger } from '../../base/logging.js'
import { joinSockets } from '../../wire/upgrade.js'
import { handleRequest, type TransportDependencies } from '../request/handle-request.js'
import type { ApiRequest, RequestContext } from '../request/request-context.js'
import { type EncodedResponse, encodeError, encodeResponse, errorStatus } from '../response/encode-response.js'
import { representationForError } from '../response/negotiation.js'
import type { StreamResponse, TunnelResponse, WatchResponse } from '../response/response.js'
import { internalErrorMessage, responseHeaders, streamBrokenMessage } from '../response/send-response.js'
import { eventEncoder } from '../response/watch-frames.js'
import { ClientGone } from './body.js'
import { defaultLimits } from './limits.js'
import { eventOf } from './responder.js'
import { offeredProtocols, tokenProtocol, withoutToken } from './websocket-protocols.js'

/** A client that reads nothing for so long is disconnected, as on the other transports. */
const { stall: patience } = defaultLimits

/**
 * Handles requests that want to upgrade. They run through the same pipeline as all others. A watch continues over a WebSocket, each event as
 * a message; a tunnel continues as the protocol of the other server; every other response is sent as plain HTTP.
 */
export class Upgrades {
  readonly #dependencies: TransportDependencies
  readonly #environment: Environment
  readonly #watchers = new Set<WebSocket>()

  constructor(dependencies: TransportDependencies) {
    this.#dependencies = dependencies
    this.#environment = dependencies.environment
  }

  readonly handle = (request: ApiRequest, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => {}) // 'close' follows
    this.#upgrade({ request, socket, head }).catch((error: unknown) => {
      this.#environment.log.error('connection upgrade failed', { error, path: request.path })
      socket.destroy()
    })
  }

  /** Ends all watches. Their clients then connect to another server, or reconnect later. */
  endWatches(): void {
    for (const watcher of this.#watchers) watcher.close()
  }

  #upgrade(connection: Connection): Promise<void> {
    const { socket } = connection
    const { clock, log } = this.#environment
    const { encoder } = this.#dependencies
    const left = new AbortController()
    socket.once('close', () => left.abort(new ClientGone('the client has gone')))
    const request = { ...requestOf(connection.request), signal: left.signal }
    return handleRequest(this.#dependencies, request, {
      send: async (response, context) => {
        if (response.is === 'tunnel') return joined(response, connection)
        if (response.is === 'watch') return this.#watch(response, connection)
        const code =
          response.is === 'stream'
            ? await sendStream(socket, context, { response, log })
            : sendPlain(socket, context, await encodeResponse(response, { encoder, now: clock.now() }))
        closeAfter(socket, clock)
        return code
      },
      sendError: async (error, context) => {
        if (!(error instanceof ApiError || error instanceof ClientGone))
          log.error(internalErrorMessage, { error, path: request.path, id: context.id })
        const code = sendPlain(socket, context, await encodeError(error, representationForError(request)))
        closeAfter(socket, clock)
        return code
      },
    })
  }

  async #watch(response: WatchResponse, connection: Connection): Promise<number> {
    const client = await accepted(connection)
    this.#watchers.add(client)
    try {
      await sendEvents(response, client, this.#dependencies)
    } finally {
      this.#watchers.delete(client)
    }
    return 200
  }
}

interface Connection {
  readonly request: ApiRequest
  readonly socket: Duplex
  readonly head: Buffer
}

/** Closes the connection after the response: does not wait for a client that does not close it, and ignores what it still sends. */
function closeAfter(socket: Duplex, clock: Clock): void {
  const end = () => socket.destroy()
  const late = clock.timer(patience, end)
  socket.once('close', () => late.cancel())
  socket.once('end', end)
  socket.resume()
}

/** Moves the token of a browser from the protocol list to the authorization header. */
function requestOf(request: ApiRequest): ApiRequest {
  const { method, path, query, search = '', headers, rawHeaders = [], body, signal, peer } = request
  const secret = offeredProtocols(headers).find((protocol) => protocol.startsWith(tokenProtocol))
  const token = Buffer.from(secret?.slice(tokenProtocol.length) ?? '', 'base64url').toString()
  const authorization = headers.authorization ?? (secret && `Bearer ${token}`)
  const known = { ...withoutToken(headers), ...(authorization && { authorization }) }
  return { method, path, query, search, headers: known, rawHeaders, body, signal, peer }
}

/** Clients have nothing to send on a watch. In bytes. */
const longestMessage = 4096

/** Loads the WebSocket library for the first client: few clients watch this way. */
async function accepted({ request, socket, head }: Connection): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws')
  const handleProtocols = (offered: Set<string>) =>
    [...offered].find((protocol) => protocol !== '' && !protocol.startsWith(tokenProtocol)) ?? false
  const server = new WebSocketServer({
    noServer: true,
    handleProtocols,
    maxPayload: longestMessage,
    autoPong: false,
  })
  const { method, path: url, headers } = request
  return new Promise((resolve, reject) => {
    const gone = () => reject(new ClientGone('the client has gone'))
    if (socket.destroyed) return gone()
    socket.once('close', gone)
    server.once('wsClientError', (error) => reject(badRequest(error.message)))
    server.handleUpgrade({ method, url, headers } as IncomingMessage, socket, head, resolve)
  })
}

/** Sends events as text messages, whatever the client accepts. */
async function sendEvents(
  response: WatchResponse,
  client: WebSocket,
  { environment, encoder }: TransportDependencies,
): Promise<void> {
  const { clock } = environment
  const inJson = { ...response, representation: { ...response.representation, media: 'json' as const } }
  const encode = eventEncoder(inJson, { encoder, clock })
  client.on('error', () => {})
  client.on('ping', (data) => {
    if (client.bufferedAmount < longestMessage) client.pong(data) // a client that does not read gets no pongs
  })
  try {
    for await (const events of response.events) {
      for (const event of events) await send(client, encode(event), clock)
      if (client.readyState !== client.OPEN) return
    }
  } catch (error) {
    const { status } = errorStatus(error)
    await send(client, Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`), clock)
  }
  client.close()
}

/** Resolves when the message has been sent, so that nothing accumulates for a slow client. */
function send(client: WebSocket, message: Uint8Array, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const late = clock.timer(patience, () => client.terminate())
    client.send(message, { binary: false }, () => {
      late.cancel()
      resolve()
    })
  })
}

function sendPlain(socket: Duplex, context: RequestContext, { code, contentType, parts }: EncodedResponse): number {
  const body = Buffer.concat(parts)
  const headers = [...responseHeaders(context, contentType), 'content-length', String(body.length)]
  socket.end(Buffer.concat([headOf(code, headers), body]))
  return code
}

/** The end of the connection marks the end of the stream. If the source fails, the connection is cut. */
async function sendStream(socket: Duplex, context: RequestContext, { response, log }: Handed): Promise<number> {
  const { code, contentType, headers = [], chunks } = response
  socket.write(headOf(code, [...responseHeaders(context, contentType), ...headers]))
  try {
    for await (const chunk of chunks) {
      if (socket.destroyed) return code
      if (!socket.write(chunk)) await eventOf(socket, 'drain')
    }
    socket.end()
  } catch (error) {
    if (!socket.destroyed) log.warn(streamBrokenMessage, { error, path: context.request.path, id: context.id })
    socket.destroy()
  }
  return code
}

interface Handed {
  readonly response: StreamResponse
  readonly log: Logger
}

function headOf(code: number, list: readonly string[]): Buffer {
  const headers = [...list, 'connection', 'close']
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []))
  return Buffer.from(`HTTP/1.1 ${code} ${STATUS_CODES[code] ?? 'unknown'}\r\n${lines.join('\r\n')}\r\n\r\n`)
}

/** Copies bytes in both directions until one side closes. */
async function joined({ head, socket: far }: TunnelResponse, { socket, head: early }: Connection): Promise<number> {
  socket.write(head)
  if (early.length > 0) far.write(early)
  await joinSockets(socket, far)
  return 101
}
