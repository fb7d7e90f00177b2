import type { IncomingHttpHeaders } from 'node:http'
import type { ApiRequest, Body, Peer } from '../../request/request-context.js'
import { checkDeclaredLength } from '../body.js'
import { parseQuery, type RequestTarget } from '../target.js'
import type { PlainResponder } from './plain-responder.js'

/** What the head of a request says, its first line apart. Clients say the same again and again: it may be shared by many requests. */
export interface PlainHead {
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly rawHeaders: readonly string[]
  /** Of the body. */
  readonly length: number
  /** The client wants the connection to be closed after the answer. */
  readonly isLast: boolean
}

export interface PlainMessage {
  readonly method: string
  readonly url: string
  readonly head: PlainHead
  readonly bytes: Uint8Array
}

// Whatever a client sends, these look at each of its characters a few times at most: no two parts in a row can take the same one.
const firstLine = /^(GET|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1\r\n/
const field = /([A-Za-z][A-Za-z0-9-]*):([\t\x20-\x7e\x80-\xff]*)\r\n/y

/** Those that change how a message is read, or what becomes of its connection; and the one that Node makes a list of. */
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
 * Reads requests that are as plain as nearly all are: whole in one piece of what came in, with nothing after it, no header twice, and
 * none that asks for more than an answer. Everything else, also what is wrong, is left to Node, which knows all of HTTP.
 */
export class PlainReader {
  readonly #headerBytes: number
  #lines = ''
  #head: PlainHead | undefined

  constructor(headerBytes: number) {
    this.#headerBytes = headerBytes
  }

  /** Undefined: this one is for Node. */
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

/** Of spaces and tabs only: `trim` takes more than HTTP does, such as the last byte of an "à" in UTF-8. */
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

/** One of these is made for each request: it must stay small, and work out nothing that nobody asks for. */
export class PlainRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  /** Its own: those who know what a header says take it out for all who come after them. */
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
