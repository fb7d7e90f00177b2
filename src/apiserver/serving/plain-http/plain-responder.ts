import { STATUS_CODES } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { ClientGone } from '../body.js'
import { eventOf, type HeaderList, type Responder, wireValue } from '../responder.js'

/** The part of the lane that a responder uses. */
export interface ResponseLane {
  readonly socket: TLSSocket
  /** The value of the header `Date`. */
  readonly date: string
  /** Whether the connection closes after this response. */
  readonly isLast: boolean
  /** How long the connection waits for another request, in seconds. */
  readonly idleSeconds: number
  /** Called at the end of the response. */
  answered(): void
}

/** Up to this size, one copy of head and body is cheaper than two writes. In bytes. */
const smallResponse = 64 * 1024

const nothing = Buffer.alloc(0)
const lastChunk = Buffer.from('0\r\n\r\n')

/** Characters that a header must not contain: they would end it. */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/

/** Writes the response to a plain request in HTTP/1.1. */
export class PlainResponder implements Responder {
  readonly #lane: ResponseLane
  readonly #socket: TLSSocket
  #started = false
  #ended = false
  /** Whether the length is unknown, so that the body is sent with chunked encoding. */
  #isChunked = false
  #hasBody = true
  #controller: AbortController | undefined

  constructor(lane: ResponseLane) {
    this.#lane = lane
    this.#socket = lane.socket
  }

  whole(code: number, headers: HeaderList, bytes: Uint8Array): void {
    if (this.closed) return
    const length = code === 204 ? '' : `content-length: ${bytes.length}\r\n`
    const head = this.#head(code, headers, length)
    const body = hasBody(code) ? bytes : nothing
    if (body.length <= smallResponse) this.#socket.write(joined(head, body))
    else {
      this.#socket.cork()
      this.#socket.write(head, 'latin1')
      this.#socket.write(body)
      this.#socket.uncork()
    }
    this.#end()
  }

  head(code: number, headers: HeaderList): void {
    if (this.closed) return
    this.#hasBody = hasBody(code)
    this.#isChunked = this.#hasBody && !hasLength(headers)
    this.#socket.write(this.#head(code, headers, this.#isChunked ? 'transfer-encoding: chunked\r\n' : ''), 'latin1')
  }

  write(chunk: Uint8Array): boolean {
    if (this.closed) return false
    if (!this.#hasBody || chunk.length === 0) return true
    if (!this.#isChunked) return this.#socket.write(chunk)
    const size = `${chunk.length.toString(16)}\r\n`
    if (chunk.length <= smallResponse) return this.#socket.write(framed(size, chunk))
    this.#socket.cork()
    this.#socket.write(size, 'latin1')
    this.#socket.write(chunk)
    const hasRoom = this.#socket.write('\r\n', 'latin1')
    this.#socket.uncork()
    return hasRoom
  }

  drained(): Promise<void> {
    return this.#socket.writableNeedDrain ? eventOf(this.#socket, 'drain') : Promise.resolve()
  }

  end(chunk?: Uint8Array): void {
    if (this.closed) return
    if (chunk) this.write(chunk)
    if (this.#isChunked) this.#socket.write(lastChunk)
    this.#end()
  }

  destroy(): void {
    if (!this.#ended) this.#socket.destroy()
  }

  get buffered(): number {
    return this.#socket.writableLength
  }

  get started(): boolean {
    return this.#started
  }

  get closed(): boolean {
    return this.#ended || !this.#socket.writable
  }

  /** Aborted when the client disconnects before the end of the response. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#socket.destroyed) this.gone()
    return this.#controller.signal
  }

  gone(): void {
    if (!this.#ended) this.#controller?.abort(new ClientGone('the client has gone'))
  }

  #end(): void {
    this.#ended = true
    this.#lane.answered()
  }

  #head(code: number, headers: HeaderList, length: string): string {
    const { date, isLast, idleSeconds } = this.#lane
    let text = `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? 'unknown'}\r\n`
    for (let index = 0; index < headers.length; index += 2)
      text += `${headers[index]}: ${checked(headers[index + 1]!)}\r\n`
    const connection = isLast ? 'close' : `keep-alive\r\nKeep-Alive: timeout=${idleSeconds}`
    this.#started = true
    return `${text}Date: ${date}\r\nConnection: ${connection}\r\n${length}\r\n`
  }
}

function hasBody(code: number): boolean {
  return code !== 204 && code !== 304
}

function hasLength(headers: HeaderList): boolean {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === 'content-length') return true
  return false
}

function checked(given: string): string {
  const value = wireValue(given)
  if (forbidden.test(value)) throw new Error('a response header contains a character that would end it')
  return value
}

function joined(head: string, body: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return bytes
}

function framed(size: string, chunk: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(size.length + chunk.length + 2)
  bytes.write(size, 'latin1')
  bytes.set(chunk, size.length)
  bytes.write('\r\n', size.length + chunk.length, 'latin1')
  return bytes
}
