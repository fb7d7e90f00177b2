import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { serviceUnavailable, unknown } from '../../../api/errors.js'
import { whenAborted } from '../../../base/abort.js'
import type { Clock } from '../../../base/clock.js'
import { quote } from '../../../schema/quote.js'
import { dialWords, endpoint } from '../../../wire/network-words.js'
import type { Credential } from '../../../wire/x509/issuer.js'

/** Where somebody behind this server is. */
export interface BackendAddress {
  readonly scheme: 'http' | 'https'
  /** An address or a name. */
  readonly host: string
  readonly port: number
}

export interface BackendRequest {
  readonly method: string
  /** With the query, as URLs write it. */
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body?: Uint8Array
  /** Any of them ends the connection, whatever has become of it. */
  readonly signals: readonly AbortSignal[]
}

export interface BackendResponse {
  readonly response: IncomingMessage
  /** Where both sides have agreed to leave HTTP; with what came behind the answer. */
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer }
}

/** By what the other side is known, and how this one shows itself to it. */
export interface BackendTls {
  readonly credential?: Credential | undefined
  /** In PEM form; without it anybody is believed. */
  readonly authority?: string | undefined
}

/** Nobody could be reached there; the message says why, in Go's words. */
export class DialError extends Error {
  override readonly name = 'DialError'
}

export function backendUnreachable(why: string): Error {
  return serviceUnavailable(`error trying to reach service: ${why}`)
}

/** How long a connection may take to be made, in milliseconds. */
const patience = 10_000

/** Answers may have long heads: cookies, policies. */
const maxHeaderSize = 1024 * 1024

export function backendUrl({ scheme, host, port }: BackendAddress, path: string): string {
  return `${scheme}://${endpoint(host, port)}${path}`
}

/** Sends one request, on a connection of its own. Rejects with a `DialError` while there is no answer. */
export function sendToBackend(
  place: BackendAddress,
  request: BackendRequest,
  clock: Clock,
  trust: BackendTls = {},
): Promise<BackendResponse> {
  const { headers, body, signals } = request
  return new Promise((resolve, reject) => {
    const outgoing = opened(place, request, trust)
    let connection: ClientRequest | Duplex = outgoing
    let answered: IncomingMessage | undefined
    const late = clock.timer(patience, () => outgoing.destroy(timeout(place)))
    const end = () => connection.destroy(new Error('the request was broken off'))
    const stops = signals.map((signal) => whenAborted(signal, end))
    const release = () => {
      late.cancel()
      for (const stop of stops) stop()
    }
    const connected = place.scheme === 'https' ? 'secureConnect' : 'connect'
    outgoing.on('socket', (socket) => socket.on(connected, () => late.cancel()))
    outgoing.on('response', (response) => {
      answered = response
      resolve({ response })
    })
    outgoing.on('upgrade', (response, socket, head) => {
      connection = socket
      socket.on('error', () => {}) // 'close' follows
      socket.once('close', release)
      if (headers.upgrade !== undefined) return resolve({ response, upgraded: { socket, head } })
      socket.destroy()
      reject(unknown(`backend tried to switch protocol ${quote(response.headers.upgrade ?? '')} when "" was requested`))
    })
    outgoing.on('error', (error) => {
      answered?.destroy(error) // what ends with its connection would look whole
      reject(new DialError(dialWords(error), { cause: error }))
    })
    outgoing.once('close', () => connection === outgoing && release())
    if (signals.some(({ aborted }) => aborted)) end()
    outgoing.end(body)
  })
}

function opened(
  { scheme, host, port }: BackendAddress,
  { method, path, headers, body }: BackendRequest,
  { credential, authority }: BackendTls,
): ClientRequest {
  // Node tells the length of a body only with methods that usually have one.
  const told = body?.length ? { ...headers, 'content-length': String(body.length) } : headers
  const common = { host, port, method, path, headers: told, agent: false, maxHeaderSize }
  if (scheme === 'http') return requestHttp(common)
  const trust = authority === undefined ? { rejectUnauthorized: false } : { ca: authority }
  return requestHttps({ ...common, ...credential, ...trust })
}

function timeout({ host, port }: BackendAddress): Error {
  return Object.assign(new Error('timeout'), { code: 'ETIMEDOUT', address: host, port })
}
