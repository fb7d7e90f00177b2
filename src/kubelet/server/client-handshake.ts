import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { KubeletApiError, type KubeletApiRequest } from './api-request.js'

/** Somebody who wants to leave HTTP. */
export interface PendingUpgrade {
  readonly request: KubeletApiRequest
  readonly socket: Duplex
  readonly head: Buffer
}

export function isWebSocket({ incoming }: KubeletApiRequest): boolean {
  return incoming.headers.upgrade?.toLowerCase() === 'websocket'
}

export function protocolsOf({ incoming }: KubeletApiRequest): readonly string[] {
  return (incoming.headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
}

const keyForm = /^[+/0-9A-Za-z]{22}==$/

/** Throws a `Refusal` for a WebSocket that could not be granted in the end: a command that was begun for it would be nobody's. */
export function checkHandshake({ method, incoming: { headers } }: KubeletApiRequest): void {
  if (method !== 'GET') throw new KubeletApiError(405, 'bad method')
  if (!keyForm.test(headers['sec-websocket-key'] ?? ''))
    throw new KubeletApiError(400, 'missing or bad Sec-WebSocket-Key')
  if (!['13', '8'].includes(headers['sec-websocket-version'] ?? ''))
    throw new KubeletApiError(400, 'missing or bad WebSocket Version')
}

/** Throws a `Refusal` if nobody is there any more, or he has said that he says nothing more. */
export function checkPresence({ socket }: PendingUpgrade): void {
  if (!socket.readable || !socket.writable) throw new KubeletApiError(400, 'the client has gone')
}

/**
 * Lets a client in whose handshake has been checked. Rejects with a `Refusal` when he has gone, of which the library says nothing. It does
 * not see what he offered, either: it minds names with a slash in them and names that come twice, and Kubernetes' clients do not.
 */
export function acceptWebSocket(connection: PendingUpgrade, protocol: string): Promise<WebSocket> {
  const { request, socket, head } = connection
  const headers = { ...request.incoming.headers, 'sec-websocket-protocol': 'chosen' }
  const incoming: IncomingMessage = Object.create(request.incoming, { headers: { value: headers } })
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, handleProtocols: () => protocol })
  return new Promise((resolve, reject) => {
    checkPresence(connection)
    socket.once('close', () => reject(new KubeletApiError(400, 'the client has gone')))
    server.handleUpgrade(incoming, socket, head, resolve)
  })
}
