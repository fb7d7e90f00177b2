import { once } from 'node:events'
import { Agent, request } from 'node:https'
import type { X509KeyPair } from '../../wire/x509/issuer.js'
import type { ApiServerAccess } from './api-server.js'

export interface RawHttpRequest {
  readonly method?: string
  /** Sent as it is, without normalization. */
  readonly path?: string
  /** Alternating names and values, sent as they are. */
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
  readonly credential?: X509KeyPair
  /** For example an agent that resumes TLS sessions. */
  readonly agent?: Agent
}

export interface RawHttpResponse {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Sends a request exactly as given, on its own connection. */
export async function sendRaw(
  { url, authority }: Pick<ApiServerAccess, 'url' | 'authority'>,
  raw: RawHttpRequest,
): Promise<RawHttpResponse> {
  const { hostname: host, port } = new URL(url)
  const { method = 'GET', path = '/', headers = [], body, credential } = raw
  const agent = raw.agent ?? new Agent({ keepAlive: false, maxCachedSessions: 0 })
  const all = [
    'host',
    host,
    ...headers,
    ...(body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))]),
  ]
  const sent = request({ host, port, ca: authority, agent, method, path, headers: all, ...credential })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return {
    status: response.statusCode,
    headers: response.headers,
    text: Buffer.concat(await response.toArray()).toString(),
  }
}

export interface Identity {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** Returns the user that the server sees, or the status if it rejects the client. */
export async function whoAmI(
  server: Pick<ApiServerAccess, 'url' | 'authority'>,
  { headers = [], credential, agent }: RawHttpRequest,
): Promise<Identity | number> {
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  const { status, text } = await sendRaw(server, {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers: ['content-type', 'application/json', ...headers],
    body,
    ...(credential && { credential }),
    ...(agent && { agent }),
  })
  return status === 201 ? (JSON.parse(text) as { status: { userInfo: Identity } }).status.userInfo : status
}
