import { type Clock, systemClock } from '../../base/clock.js'
import { closedError, type ServerConnectionsOptions } from '../../wire/http/server-connections.js'
import { bearer, type Credential, type CredentialSource, fixedCredential } from '../credentials/credential.js'
import type { Impersonation } from '../credentials/impersonation.js'
import { type ClientRequest, ConnectionLostError, type Transport, type TransportResult } from '../transport.js'
import { ApiConnection } from './api-connection.js'
import { withTimeout } from './request-timeout.js'
import { readResponse, warningsOf } from './response-reader.js'

export interface HttpsOptions extends ServerConnectionsOptions {
  /** A bearer token that never changes. */
  readonly token?: string
  /** A client certificate that never changes, and its key, in PEM form. */
  readonly credential?: { readonly cert: string; readonly key: string }
  /** Credentials that may change, in place of `token` and `credential`. */
  readonly credentials?: CredentialSource
  readonly impersonate?: Impersonation | undefined
  /** Whether long responses may be compressed; true by default. */
  readonly compress?: boolean
  /** Milliseconds after which a request is abandoned and a watch ends. Unlimited by default. */
  readonly timeout?: number | undefined
  /** Milliseconds of silence after which a request that is no watch is abandoned. */
  readonly idleTimeout?: number
  readonly userAgent?: string
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly clock?: Clock
}

/** Longer than a server takes for any response. */
const defaultIdleTimeout = 90_000

export interface HttpsTransport extends Transport {
  /** For requests that are not in terms of objects, such as those of kubectl. */
  readonly connection: ApiConnection
}

/** Sends requests to a server over the network, `https:` or plain `http:`, on keep-alive connections. */
export function httpsTransport(options: HttpsOptions): HttpsTransport {
  const { clock = systemClock, timeout, idleTimeout = defaultIdleTimeout } = options
  const credentials = options.credentials ?? fixedCredential(credentialOf(options))
  const connection = new ApiConnection({ ...options, credentials })
  const send = (request: ClientRequest) => sendOver(connection, request, { clock, idleTimeout })
  return {
    connection,
    send: (request) => (timeout ? withTimeout(request, { timeout, clock }, send) : send(request)),
    close: () => connection.close(),
  }
}

function credentialOf({ token, credential }: HttpsOptions): Credential {
  return {
    ...(token !== undefined && { authorization: bearer(token) }),
    ...(credential && { certificate: credential }),
  }
}

interface SendOptions {
  readonly clock: Clock
  readonly idleTimeout: number
}

async function sendOver(
  connection: ApiConnection,
  request: ClientRequest,
  { clock, idleTimeout: milliseconds }: SendOptions,
): Promise<TransportResult> {
  const { method, body, signal } = request
  const { accept = 'application/json', contentType = 'application/json' } = request
  const silence = () => new ConnectionLostError(`the server has sent nothing for ${milliseconds / 1000} seconds`)
  const isOver = () => signal?.aborted === true || connection.connections.isClosed
  try {
    const response = await connection.send({
      method,
      path: targetOf(request),
      headers: { Accept: accept, ...(body !== undefined && { 'Content-Type': contentType }) },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      signals: signal ? [signal] : [],
      idleTimeout: { clock, milliseconds, error: silence },
      isRepeatable: method === 'GET',
    })
    return { response: await readResponse(request, response, isOver), warnings: warningsOf(response) }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw connection.connections.isClosed ? closedError() : error
  }
}

/** Names in a path may contain any character. */
function targetOf({ path, query }: ClientRequest): string {
  const search = query.size === 0 ? '' : `?${query}`
  return `${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}${search}`
}
