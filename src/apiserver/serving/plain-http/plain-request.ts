import type { IncomingHttpHeaders } from 'node:http'
import type { ApiRequest, Body, Peer } from '../../request/request-context.js'
import { checkDeclaredLength } from '../body.js'
import { parseQuery, type RequestTarget } from '../target.js'
import type { PlainResponder } from './plain-responder.js'

/** The headers of a request. Clients repeat them, so that many requests may share one object. */
export interface PlainHead {
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly rawHeaders: readonly string[]
  /** The length of the body. */
  readonly length: number
  /** Whether the client wants the connection to close after the response. */
  readonly isLast: boolean
}

export interface PlainMessage {
  readonly method: string
  readonly url: string
  readonly head: PlainHead
  readonly bytes: Uint8Array
}

// Linear for every input: no two adjacent parts match the same character.
const firstLine = /^(GET|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1\r\n/
const field = /([A-Za-z][A-Za-z0-9-]*):([\t\x20-\x7e\x80-\xff]*)\r\n/y

/** Headers that change how the message is read or how the connection continues, and the one that Node returns as a list. */
const special = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'http2-settings',
  'proxy-connection',
  'set-cookie',
])

/**
 * Reads plain requests, as nearly all are: complete in one chunk, with nothing after it, no repeated header, and no header of `special`. Leaves
 * everything else, malformed requests included, to Node, which knows all of HTTP.
 */
export class PlainReader {
  readonly #headerBytes: number
  #lines = ''
  #head: PlainHead | undefined

  constructor(headerBytes: number) {
    this.#headerBytes = headerBytes
  }

  /** Returns undefined if Node must handle the request. */
  read(chunk: Buffer): PlainMessage | undefined {
    const text = chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n') + 2
    const first = end < 2 || end > this.#headerBytes ? null : firstLine.exec(text)
    if (!first) return undefined
    const head = this.#headOf(text.slice(first[0].length, end))
    if (!head || chunk.length !== end + 2 + head.length) return undefined
    return { method: first[1]!, url: first[2]!, head, bytes: chunk.subarray(end + 2) }
  }

  #headOf(lines: string): PlainHead | undefined {
    if (lines === this.#lines) return this.#head
    this.#lines = lines
    this.#head = parseHead(lines)
    return this.#head
  }
}

function parseHead(lines: string): PlainHead | undefined {
  const headers: Record<string, string> = {}
  const rawHeaders: string[] = []
  for (field.lastIndex = 0; field.lastIndex < lines.length; ) {
    const [, name, padded] = field.exec(lines) ?? []
    if (name === undefined) return undefined
    const key = name.toLowerCase()
    if (headers[key] !== undefined || special.has(key)) return undefined
    const value = trimmed(padded!)
    headers[key] = value
    rawHeaders.push(name, value)
  }
  const { host, connection = 'keep-alive', 'content-length': length = '0' } = headers
  const isLast = connection.toLowerCase() === 'close'
  if (host === undefined || !(isLast || connection.toLowerCase() === 'keep-alive')) return undefined
  return /^\d{1,9}$/.test(length) ? { headers, rawHeaders, length: Number(length), isLast } : undefined
}

/** Trims spaces and tabs only: `trim` would also remove the last byte of an "à" in UTF-8. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Created for each request: must stay small, and compute members only on first use. */
export class PlainRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  /** A copy: stages remove headers, such as the token, for later stages. */
  readonly headers: IncomingHttpHeaders
  readonly peer: Peer
  readonly search: string
  readonly #message: PlainMessage
  readonly #respond: PlainResponder
  #query: URLSearchParams | undefined
  #wasRead = false

  constructor(message: PlainMessage, target: RequestTarget, respond: PlainResponder, peer: Peer) {
    this.method = message.method
    this.path = target.path
    this.headers = { ...message.head.headers }
    this.peer = peer
    this.search = target.search
    this.#message = message
    this.#respond = respond
  }

  get rawHeaders(): readonly string[] {
    return this.#message.head.rawHeaders
  }

  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.search)
    return this.#query
  }

  get signal(): AbortSignal {
    return this.#respond.signal
  }

  async body(limit: number): Promise<Body> {
    if (this.#wasRead) throw new Error('the body of a request can be read only once')
    this.#wasRead = true
    const { bytes, head } = this.#message
    checkDeclaredLength(head.headers['content-length'], limit)
    return { bytes }
  }
}
