import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import type { Duplex } from 'node:stream'

/** An upgraded connection, or the response that denies it. */
export type Upgraded =
  | { readonly socket: Duplex; readonly head: Buffer; readonly response: IncomingMessage }
  | { readonly socket: undefined; readonly response: IncomingMessage }

export interface UpgradeRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders | Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Requests an HTTP upgrade. Rejects if the server cannot be reached. */
export function upgrade(url: string, { method, headers, signal }: UpgradeRequest): Promise<Upgraded> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false, signal })
    outgoing.on('upgrade', (response, socket, head) => {
      socket.on('error', () => {}) // a close follows
      resolve({ response, socket, head })
    })
    outgoing.on('response', (response) => resolve({ response, socket: undefined }))
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Headers of this hop, which are not forwarded. */
const hereOnly: ReadonlySet<string> = new Set(['host', 'authorization', 'content-length', 'transfer-encoding'])

export function runtimeRequestHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hereOnly.has(name)))
}
