import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { serviceUnavailable, unknown } from '../../../api/errors.js'
import { whenAborted } from '../../../base/abort.js'
import type { Clock } from '../../../base/clock.js'
import { quote } from '../../../schema/quote.js'
import { dialWords, endpoint } from '../../../wire/network-words.js'
import type { Credential } from '../../../wire/x509/issuer.js'

/** The address of a server behind this one: a pod, an endpoint of a service, a kubelet. */
export interface BackendAddress {
  readonly scheme: 'http' | 'https'
  /** An IP address or a host name. */
  readonly host: string
  readonly port: number
}

export interface BackendRequest {
  readonly method: string
  /** URL-encoded, with the query. */
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body?: Uint8Array
  /** Each of them ends the connection, even after an upgrade. */
  readonly signals: readonly AbortSignal[]
}

export interface BackendResponse {
  readonly response: IncomingMessage
  /** Set after an upgrade. `head` has the bytes that followed the response. */
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer }
}

/** The authority of the backend's certificate, and this server's client certificate. */
export interface BackendTls {
  readonly credential?: Credential | undefined
  /** PEM. Without it the certificate is not verified. */
  readonly authority?: string | undefined
}

/** The connection failed. The message is worded as Go does it. */
export class DialError extends Error {
  override readonly name = 'DialError'
}

export function backendUnreachable(why: string): Error {
  return serviceUnavailable(`error trying to reach service: ${why}`)
}

/** Milliseconds within which the connection must be established. */
const connectTimeout = 10_000

/** Responses may have large headers: cookies, policies. */
const maxHeaderSize = 1024 * 1024

export function backendUrl({ scheme, host, port }: BackendAddress, path: string): string {
  return `${scheme}://${endpoint(host, port)}${path}`
}

/** Sends one request on a connection of its own. Rejects with a `DialError` if the connection fails before the response. */
export function sendToBackend(
  address: BackendAddress,
  request: BackendRequest,
  clock: Clock,
  trust: BackendTls = {},
): Promise<BackendResponse> {
  const { headers, body, signals } = request
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(address, request, trust)
    let connection: ClientRequest | Duplex = outgoing
    let received: IncomingMessage | undefined
    const late = clock.timer(connectTimeout, () => outgoing.destroy(timeout(address)))
    const end = () => connection.destroy(new Error('the request was aborted'))
    const stops = signals.map((signal) => whenAborted(signal, end))
    const release = () => {
      late.cancel()
      for (const stop of stops) stop()
    }
    const connected = address.scheme === 'https' ? 'secureConnect' : 'connect'
    outgoing.on('socket', (socket) => socket.on(connected, () => late.cancel()))
    outgoing.on('response', (response) => {
      received = response
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
      received?.destroy(error) // otherwise a truncated response would look complete
      reject(new DialError(dialWords(error), { cause: error }))
    })
    outgoing.once('close', () => connection === outgoing && release())
    if (signals.some(({ aborted }) => aborted)) end()
    outgoing.end(body)
  })
}

function openRequest(
  { scheme, host, port }: BackendAddress,
  { method, path, headers, body }: BackendRequest,
  { credential, authority }: BackendTls,
): ClientRequest {
  // Node sets the length of a body only for methods that usually have one.
  const allHeaders = body?.length ? { ...headers, 'content-length': String(body.length) } : headers
  const common = { host, port, method, path, headers: allHeaders, agent: false, maxHeaderSize }
  if (scheme === 'http') return requestHttp(common)
  const trust = authority === undefined ? { rejectUnauthorized: false } : { ca: authority }
  return requestHttps({ ...common, ...credential, ...trust })
}

function timeout({ host, port }: BackendAddress): Error {
  return Object.assign(new Error('timeout'), { code: 'ETIMEDOUT', address: host, port })
}
