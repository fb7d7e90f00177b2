import { type HttpTlsOptions, keepAliveAgents, sendHttp } from '../../wire/http/http-client.js'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds. Callers that have a timer of their own pass a signal instead. */
  readonly timeout?: number
  readonly signal?: AbortSignal
  /** Whether the request is sent again if a reused connection breaks before the response. */
  readonly isRepeatable?: boolean
}

export interface OutgoingResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Sends a request to the server of its URL. Resolves with any status. Rejects if there is no complete response. */
export type OutgoingClient = (request: OutgoingRequest) => Promise<OutgoingResponse>

const maxResponseBytes = 4 * 1024 * 1024
const maxConnections = 64
const idleConnectionTimeout = 90_000
const defaultTimeout = 30_000

/** Creates a client with keep-alive connections. */
export function outgoingClient(tls: HttpTlsOptions = {}): OutgoingClient {
  const agent = keepAliveAgents(tls, { maxSockets: maxConnections, timeout: idleConnectionTimeout })
  return async ({ timeout = defaultTimeout, signal = AbortSignal.timeout(timeout), ...request }) => {
    const response = await sendHttp({ ...request, agent, signals: [signal] })
    const { status, headers } = response
    return { status, headers, text: await response.text(maxResponseBytes) }
  }
}
