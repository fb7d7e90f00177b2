import type { HttpResponse } from '../../wire/http/http-response.js'
import {
  ServerConnections,
  type ServerConnectionsOptions,
  type ServerRequest,
} from '../../wire/http/server-connections.js'
import type { Credential, CredentialSource } from '../credentials/credential.js'
import { type Impersonation, impersonationHeaders } from '../credentials/impersonation.js'
import { ConnectionLostError } from '../transport.js'

export interface ApiConnectionOptions extends ServerConnectionsOptions {
  readonly credentials: CredentialSource
  readonly impersonate?: Impersonation | undefined
  /** Whether long responses may be compressed; true by default. */
  readonly compress?: boolean
  readonly userAgent?: string
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface AuthenticatedRequest extends ServerRequest {
  /** With the query, URL-encoded. */
  readonly path: string
}

/** Authenticated HTTP requests to one API server: what the typed client and kubectl have in common. */
export class ApiConnection {
  readonly connections: ServerConnections
  readonly credentials: CredentialSource
  readonly #headers: Readonly<Record<string, string | string[]>>

  constructor(options: ApiConnectionOptions) {
    const { credentials, impersonate, compress = true, userAgent = 'proa', headers } = options
    this.connections = new ServerConnections(options)
    this.credentials = credentials
    this.#headers = {
      'User-Agent': userAgent,
      ...headers,
      ...(compress && { 'Accept-Encoding': 'gzip' }),
      ...(impersonate && impersonationHeaders(impersonate)),
    }
  }

  /**
   * Sends a request, and resolves with the response, whatever its status. After a 401 it sends the request once more, if that renews the
   * credential.
   */
  async send(request: AuthenticatedRequest): Promise<HttpResponse> {
    const [signal] = request.signals ?? []
    signal?.throwIfAborted()
    const credential = await this.credentials.current(signal)
    const response = await this.#sendAs(credential, request)
    if (response.status !== 401) return response
    await this.credentials.rejected(credential, signal)
    const renewed = await this.credentials.current(signal)
    if (renewed === credential) return response
    response.discard()
    return this.#sendAs(renewed, request)
  }

  /** Opens a connection for a request that follows soon. Never fails: the request meets the same error and reports it. */
  async preconnect(): Promise<void> {
    try {
      const { certificate } = await this.credentials.current()
      this.connections.preconnect(certificate)
      await nextTurn()
    } catch {
      // the request reports it
    }
  }

  close(): void {
    this.connections.close()
  }

  async #sendAs({ authorization, certificate }: Credential, { path, headers, ...request }: AuthenticatedRequest) {
    const all = { ...headers, ...this.#headers, ...(authorization !== undefined && { authorization }) }
    try {
      return await this.connections.send(path, { ...request, headers: all }, certificate)
    } catch (error) {
      throw asConnectionLost(error)
    }
  }
}

/** Lets the first bytes of a handshake leave. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

const resetCodes = ['ECONNRESET', 'EPIPE']

function asConnectionLost(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  return resetCodes.includes(code) ? new ConnectionLostError(message, { cause: error }) : error
}
