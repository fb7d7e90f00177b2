import type { IncomingMessage } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Environment } from '../base/environment.js'
import type { WatchAnswer } from './answer.js'
import { headersOf, newExchange } from './answering.js'
import type { ApiRequest, Exchange } from './exchange.js'
import { begun, concluded } from './listening.js'
import { representationForError } from './negotiation.js'
import { walk } from './pipeline.js'
import type { Stage } from './stage.js'
import { frame } from './watch-frames.js'
import { errorStatus, type Written, written, writtenError } from './writing.js'

type Upgrade = (request: ApiRequest, socket: Duplex, head: Buffer) => void

/**
 * Requests to go on over a WebSocket: watches do, each event as a message. They walk the same pipeline as all others; what is no
 * watch, or is refused, is answered as plain HTTP.
 */
export function upgrades(stages: readonly Stage[], environment: Environment): Upgrade {
  return (request, socket, head) => {
    socket.on('error', () => {}) // whoever has gone needs no answer
    upgrade(stages, environment, { request, socket, head }).catch((error: unknown) => {
      environment.log.error('a connection could not be upgraded', { error, path: request.path })
      socket.destroy()
    })
  }
}

interface Connection {
  readonly request: ApiRequest
  readonly socket: Duplex
  readonly head: Buffer
}

async function upgrade(stages: readonly Stage[], environment: Environment, connection: Connection): Promise<void> {
  const { socket } = connection
  const left = new AbortController()
  socket.once('close', () => left.abort())
  const request = { ...requestOf(connection.request), signal: left.signal }
  const exchange = newExchange(request, environment)
  let code = 200
  let error: unknown
  try {
    await walk(stages, exchange, environment)
    const answer = exchange.answer!
    if (answer.is === 'watch') {
      begun(exchange)
      return await sendEvents(answer, await accepted(connection), environment)
    }
    code = sendPlain(socket, exchange, await written(answer, environment.clock.now()))
  } catch (caught) {
    error = caught
    code = sendPlain(socket, exchange, await writtenError(error, representationForError(request)))
  } finally {
    await concluded(exchange, code, error)
  }
}

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/** Browsers cannot set headers: they hand in their token as a protocol that they offer. */
function requestOf({ method, path, query, headers, rawHeaders = [], body, signal, peer }: ApiRequest): ApiRequest {
  const offered = protocolsOf(headers)
  const secret = offered.find((protocol) => protocol.startsWith(tokenProtocol))
  if (!secret || headers.authorization) return { method, path, query, headers, rawHeaders, body, signal, peer }
  const token = Buffer.from(secret.slice(tokenProtocol.length), 'base64url').toString()
  const authorized = { ...headers, authorization: `Bearer ${token}` }
  return { method, path, query, headers: authorized, rawHeaders, body, signal, peer }
}

function protocolsOf(headers: ApiRequest['headers']): readonly string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
}

/** Few clients watch this way: the library is loaded with the first one. */
async function accepted({ request, socket, head }: Connection): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws')
  const handleProtocols = (offered: Set<string>) =>
    [...offered].find((protocol) => protocol !== '' && !protocol.startsWith(tokenProtocol)) ?? false
  const server = new WebSocketServer({ noServer: true, handleProtocols })
  const { method, path: url, headers } = request
  return new Promise((resolve) => {
    server.handleUpgrade({ method, url, headers } as IncomingMessage, socket, head, resolve)
  })
}

/** Messages are text here, whatever the client would take elsewhere. */
async function sendEvents(answer: WatchAnswer, client: WebSocket, { clock }: Environment): Promise<void> {
  const encode = frame({ ...answer, representation: { ...answer.representation, media: 'json' } }, clock)
  client.on('error', () => {})
  try {
    for await (const events of answer.events) {
      for (const event of events) await send(client, encode(event))
      if (client.readyState !== client.OPEN) return
    }
  } catch (error) {
    const { status } = errorStatus(error)
    await send(client, Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`))
  }
  client.close()
}

/** Resolves when the message has left, so that nothing piles up for a client that does not read. */
function send(client: WebSocket, message: Uint8Array): Promise<void> {
  return new Promise((resolve) => client.send(message, { binary: false }, () => resolve()))
}

function sendPlain(socket: Duplex, exchange: Exchange, { code, contentType, chunks }: Written): number {
  const body = Buffer.concat(chunks)
  const headers = [...headersOf(exchange, contentType), 'content-length', String(body.length), 'connection', 'close']
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []))
  socket.end(
    Buffer.concat([Buffer.from(`HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n${lines.join('\r\n')}\r\n\r\n`), body]),
  )
  return code
}
