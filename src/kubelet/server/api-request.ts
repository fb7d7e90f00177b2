import type { IncomingMessage } from 'node:http'

/** A request to the kubelet that may be answered. */
export interface KubeletApiRequest {
  readonly method: string
  readonly path: string
  /** The path's parts: `['exec', 'default', 'web', 'main']`. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly incoming: IncomingMessage
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

export interface KubeletApiResponse {
  readonly code: number
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A stream is sent piece by piece, each as soon as it is there and the last one has left. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** The request is refused, in these words. */
export class KubeletApiError extends Error {
  override readonly name = 'Refusal'
  readonly code: number

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const plainText = 'text/plain; charset=utf-8'

export function textResponse(
  code: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): KubeletApiResponse {
  return { code, contentType: plainText, headers, body }
}

export function jsonResponse(value: unknown): KubeletApiResponse {
  return { code: 200, contentType: 'application/json', body: JSON.stringify(value) }
}

/** Undefined where the target is malformed. */
export function parseApiRequest(incoming: IncomingMessage, signal: AbortSignal): KubeletApiRequest | undefined {
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
