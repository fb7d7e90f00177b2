import { ApiError } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Status } from '../../api/meta/v1/status.js'
import { serverResponse } from '../../api/server-response.js'
import type { HttpResponse } from '../../wire/http/http-response.js'
import type { ClientRequest, ClientResponse, ListResult } from '../transport.js'
import { watchEvents } from './watch-events.js'

/**
 * Reads the body of a response. Throws an `ApiError` if the server rejected the request. A watch stays open; it ends without an error if
 * `isOver` returns true when the connection ends.
 */
export async function readResponse(
  request: ClientRequest,
  response: HttpResponse,
  isOver: () => boolean,
): Promise<ClientResponse> {
  const { status: code } = response
  const { method, responseType } = request
  if (responseType === 'watch' && code === 200)
    return { is: 'watch', events: watchEvents(await response.decodedBody(), isOver) }
  const bytes = await response.decodedBytes()
  if (code >= 400) throw responseError(method, response, bytes.toString())
  const { 'content-type': contentType = '' } = response.headers
  if (responseType === 'bytes') return { is: 'bytes', code, contentType, bytes }
  const value = parseJson(bytes) as KubeObject
  return responseType === 'list'
    ? listOf(value as unknown as ListBody)
    : { is: 'object', code, object: { object: value } }
}

/** Parses without the parser's own message, which would quote the body: it may be a secret. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new Error('the response of the server is not JSON')
  }
}

interface ListBody {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  /** Null in an empty list of metadata. */
  readonly items: readonly object[] | null
}

/** Adds `kind` and `apiVersion` to the items: on the wire only the list has them. */
function listOf({ apiVersion, kind, metadata, items }: ListBody): ListResult {
  const { resourceVersion, continue: token, remainingItemCount: remaining } = metadata
  const type = { kind: kind.replace(/List$/, ''), apiVersion }
  return {
    is: 'list',
    items: (items ?? []).map((item) => ({ object: { ...type, ...item } as KubeObject })),
    revision: Number(resourceVersion),
    ...(token && { continue: token }),
    ...(remaining !== undefined && { remaining }),
  }
}

/** Returns the error of a response with a status of 400 or more. A proxy in between may reject a request without a `Status`. */
export function responseError(method: string, { status: code, headers }: HttpResponse, text: string): ApiError {
  const delay = headers['retry-after'] ?? ''
  const retryAfterSeconds = /^\d+$/.test(delay) ? { retryAfterSeconds: Number(delay) } : {}
  const status = parseStatus(text)
  if (!status) return serverResponse({ code, method, serverMessage: text, ...retryAfterSeconds })
  return new ApiError(delay === '' ? status : { ...status, details: { ...status.details, ...retryAfterSeconds } })
}

/** Returns undefined for any other text. */
export function parseStatus(text: string): Status | undefined {
  try {
    const status = JSON.parse(text) as Status | null
    return status?.kind === 'Status' ? status : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns the texts of `Warning` headers: `299 - "text"`, joined by commas. */
export function warningsOf({ headers }: HttpResponse): readonly string[] {
  const { warning = '' } = headers
  return [...warning.matchAll(/299 \S+ ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => unquote(quoted!))
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
