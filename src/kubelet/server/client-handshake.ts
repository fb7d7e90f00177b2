import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { KubeletServerError, type KubeletServerRequest } from './api-request.js'

/** A request to upgrade the connection, not yet answered. */
export interface PendingUpgrade {
  readonly request: KubeletServerRequest
  readonly socket: Duplex
  readonly head: Buffer
}

export function isWebSocket({ incoming }: KubeletServerRequest): boolean {
  return incoming.headers.upgrade?.toLowerCase() === 'websocket'
}

export function protocolsOf({ incoming }: KubeletServerRequest): readonly string[] {
  return (incoming.headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
}

const keyForm = /^[+/0-9A-Za-z]{22}==$/

/** Throws a `KubeletServerError` for an invalid WebSocket handshake, before a command is started for it. */
export function checkHandshake({ method, incoming: { headers } }: KubeletServerRequest): void {
  if (method !== 'GET') throw new KubeletServerError(405, 'bad method')
  if (!keyForm.test(headers['sec-websocket-key'] ?? ''))
    throw new KubeletServerError(400, 'missing or bad Sec-WebSocket-Key')
  if (!['13', '8'].includes(headers['sec-websocket-version'] ?? ''))
    throw new KubeletServerError(400, 'missing or bad WebSocket Version')
}

/** Throws a `KubeletServerError` if the client has closed its connection. */
export function checkPresence({ socket }: PendingUpgrade): void {
  if (!socket.readable || !socket.writable) throw new KubeletServerError(400, 'the client has gone')
}

/**
 * Completes a checked handshake. Rejects with a `KubeletServerError` if the client has disconnected. Hides the offered protocols from the
 * library, which rejects slashes and duplicates that Kubernetes clients send.
 */
export function acceptWebSocket(connection: PendingUpgrade, protocol: string): Promise<WebSocket> {
  const { request, socket, head } = connection
  const headers = { ...request.incoming.headers, 'sec-websocket-protocol': 'chosen' }
  const incoming: IncomingMessage = Object.create(request.incoming, { headers: { value: headers } })
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, handleProtocols: () => protocol })
  return new Promise((resolve, reject) => {
    checkPresence(connection)
    socket.once('close', () => reject(new KubeletServerError(400, 'the client has gone')))
    server.handleUpgrade(incoming, socket, head, resolve)
  })
}
