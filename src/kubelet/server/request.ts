import type { IncomingMessage } from 'node:http'

/** A request to the kubelet that may be answered. */
export interface KubeletRequest {
  readonly method: string
  readonly path: string
  /** The path's parts: `['exec', 'default', 'web', 'main']`. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  readonly incoming: IncomingMessage
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

export interface Reply {
  readonly code: number
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A stream is sent piece by piece, each as soon as it is there and the last one has left. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** The request is refused, in these words. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const plainText = 'text/plain; charset=utf-8'

export function plain(code: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { code, contentType: plainText, headers, body }
}

export function json(value: unknown): Reply {
  return { code: 200, contentType: 'application/json', body: JSON.stringify(value) }
}

/** Undefined where the target is malformed. */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): KubeletRequest | undefined {
  const [rawPath = '', ...rest] = (incoming.url ?? '/').split('?')
  try {
    const path = decodeURIComponent(rawPath)
    const parts = rawPath.split('/').slice(1).map(decodeURIComponent)
    const query = new URLSearchParams(rest.join('?'))
    return { method: incoming.method ?? 'GET', path, parts, query, incoming, signal }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
