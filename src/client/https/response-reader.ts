import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { ApiError } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Status } from '../../api/meta/v1/status.js'
import { serverResponse } from '../../api/server-response.js'
import type { ClientRequest, ClientResponse, ListResult } from '../transport.js'
import { watchEvents } from './watch-events.js'

export interface Reading {
  /** Whether the end of the connection is wanted: a watch just ends with it. */
  readonly isOver: () => boolean
  /** Is called whenever more of the answer has come. */
  readonly happened: () => void
}

/** Reads the rest of an answer, of which the head is there. A watch goes on after this has resolved. */
export async function readAnswer(
  request: ClientRequest,
  message: IncomingMessage,
  { isOver, happened }: Reading,
): Promise<ClientResponse> {
  const { statusCode: code = 0 } = message
  if (request.responseType === 'watch' && code === 200)
    return { is: 'watch', events: watchEvents(unpacked(message), isOver) }
  const bytes = await bytesOf(message, happened)
  if (code >= 400) throw refusal(request, message, bytes)
  const { 'content-type': contentType = '' } = message.headers
  if (request.responseType === 'bytes') return { is: 'bytes', code, contentType, bytes }
  const value = parsed(bytes) as KubeObject
  return request.responseType === 'list'
    ? listOf(value as unknown as List)
    : { is: 'object', code, object: { object: value } }
}

function isPacked({ headers }: IncomingMessage): boolean {
  return headers['content-encoding'] === 'gzip'
}

function unpacked(message: IncomingMessage): Readable {
  // Who reads the end of the pipeline is told of errors in any part of it.
  return isPacked(message) ? pipeline(message, createGunzip(), () => {}) : message
}

const unzip = promisify(gunzip)

async function bytesOf(message: IncomingMessage, happened: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) {
    chunks.push(chunk as Buffer)
    happened()
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  return isPacked(message) ? unzip(bytes) : bytes
}

/** The parser's own message would quote what was sent, which may be a secret. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new Error('the server answered with what is no JSON')
  }
}

interface List {
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

/** On the wire the items do not say what they are: that stands once, in the list. */
function listOf({ apiVersion, kind, metadata, items }: List): ListResult {
  const { resourceVersion, continue: token, remainingItemCount: remaining } = metadata
  const its = { kind: kind.replace(/List$/, ''), apiVersion }
  return {
    is: 'list',
    items: (items ?? []).map((item) => ({ object: { ...its, ...item } as KubeObject })),
    revision: Number(resourceVersion),
    ...(token && { continue: token }),
    ...(remaining !== undefined && { remaining }),
  }
}

/** Whatever stands between may refuse as well, and does not speak of it in the server's way. */
function refusal({ method }: ClientRequest, message: IncomingMessage, bytes: Buffer): ApiError {
  const { statusCode: code = 0, headers } = message
  const text = bytes.toString()
  const wait = headers['retry-after'] ?? ''
  const retryAfterSeconds = /^\d+$/.test(wait) ? { retryAfterSeconds: Number(wait) } : {}
  const status = statusOf(text)
  if (!status) return serverResponse({ code, method, serverMessage: text, ...retryAfterSeconds })
  return new ApiError(wait === '' ? status : { ...status, details: { ...status.details, ...retryAfterSeconds } })
}

function statusOf(text: string): Status | undefined {
  try {
    const status = JSON.parse(text) as Status | null
    return status?.kind === 'Status' ? status : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
