import type { IncomingMessage } from 'node:http'
import { serviceUnavailable, unknown } from '../../../api/errors.js'
import type { Clock } from '../../../base/clock.js'
import { quote } from '../../../schema/quote.js'
import { sendHttp, UnexpectedUpgradeError } from '../../../wire/http/http-client.js'
import type { HttpResponse, UpgradedConnection } from '../../../wire/http/http-response.js'
import { dialWords, endpoint } from '../../../wire/network-words.js'
import type { X509KeyPair } from '../../../wire/x509/issuer.js'

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
  /** Set after an upgrade. */
  readonly upgraded?: UpgradedConnection
}

/** The authority of the backend's certificate, and this server's client certificate. */
export interface BackendTls {
  readonly credential?: X509KeyPair | undefined
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

/** Milliseconds until a connection must be established. */
const connectTimeout = 10_000

/** Responses may have long headers: cookies, policies. */
const maxHeaderBytes = 1024 * 1024

export function backendUrl({ scheme, host, port }: BackendAddress, path: string): string {
  return `${scheme}://${endpoint(host, port)}${path}`
}

/** Sends one request, on a connection of its own. Rejects with a `DialError` if there is no response. */
export async function sendToBackend(
  address: BackendAddress,
  request: BackendRequest,
  clock: Clock,
  { credential, authority }: BackendTls = {},
): Promise<BackendResponse> {
  const { path, signals, ...rest } = request
  const { body, upgraded } = await sendHttp({
    ...rest,
    url: backendUrl(address, '/'),
    target: path,
    signals,
    tls: { ...credential, ca: authority, insecure: authority === undefined },
    connectTimeout: { clock, milliseconds: connectTimeout, error: () => timeoutError(address) },
    allowUpgrade: request.headers.upgrade !== undefined,
    maxHeaderBytes,
  }).catch((error: unknown): HttpResponse => {
    throw sendError(error, signals)
  })
  return { response: body, ...(upgraded && { upgraded }) }
}

function sendError(error: unknown, signals: readonly AbortSignal[]): Error {
  if (error instanceof UnexpectedUpgradeError)
    return unknown(`backend tried to switch protocol ${quote(error.protocol)} when "" was requested`)
  const isAborted = signals.some(({ aborted }) => aborted)
  return new DialError(isAborted ? 'the request was aborted' : dialWords(error as Error), { cause: error })
}

function timeoutError({ host, port }: BackendAddress): Error {
  return Object.assign(new Error('timeout'), { code: 'ETIMEDOUT', address: host, port })
}
