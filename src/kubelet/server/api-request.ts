import type { IncomingMessage } from 'node:http'

/** A request to the kubelet's API. */
export interface KubeletServerRequest {
  readonly method: string
  readonly path: string
  /** Segments of the path: `['exec', 'default', 'web', 'main']`. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly incoming: IncomingMessage
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export interface KubeletServerResponse {
  readonly code: number
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A stream is sent chunk by chunk, with back pressure. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** The request fails with this status code and message. */
export class KubeletServerError extends Error {
  override readonly name = 'Refusal'
  readonly code: number

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const plainText = 'text/plain; charset=utf-8'

export function plainTextResponse(
  code: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): KubeletServerResponse {
  return { code, contentType: plainText, headers, body }
}

export function jsonResponse(value: unknown): KubeletServerResponse {
  return { code: 200, contentType: 'application/json', body: JSON.stringify(value) }
}

/** Returns undefined if the URL is malformed. */
export function parseApiRequest(incoming: IncomingMessage, signal: AbortSignal): KubeletServerRequest | undefined {
  const [rawPath = '', ...rest] = (incoming.url ?? '/').split('?')
  try {
    const path = decodeURIComponent(rawPath)
    const parts = rawPath.split('/').slice(1).map(decodeURIComponent)
    const query = new URLSearchParams(rest.join('?'))
    return { method: incoming.method ?? 'GET', path, segments: parts, query, incoming, signal }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
