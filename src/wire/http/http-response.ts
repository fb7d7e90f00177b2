import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import type { IdleTimer } from './timeouts.js'

/** A connection that has left HTTP, and the bytes that came right behind the response. */
export interface UpgradedConnection {
  readonly socket: Duplex
  readonly head: Buffer
}

interface ResponseDetails {
  readonly idle?: IdleTimer | undefined
  readonly upgraded?: UpgradedConnection
}

/** The body is longer than the caller allows. */
export class ResponseTooLongError extends Error {
  override readonly name = 'ResponseTooLongError'
}

/** A response whose head has arrived. Its body is read once, by one of the methods. */
export class HttpResponse {
  /** The body as it is sent, before decompression. */
  readonly body: IncomingMessage
  /** Set if both sides have agreed to leave HTTP. */
  readonly upgraded: UpgradedConnection | undefined
  readonly #idle: IdleTimer | undefined

  constructor(body: IncomingMessage, { idle, upgraded }: ResponseDetails = {}) {
    this.body = body
    this.upgraded = upgraded
    this.#idle = idle
  }

  get status(): number {
    return this.body.statusCode ?? 0
  }

  /** `Not Found` */
  get statusText(): string {
    return this.body.statusMessage ?? ''
  }

  get headers(): IncomingHttpHeaders {
    return this.body.headers
  }

  /** Names and values in turn, as they were sent. */
  get rawHeaders(): readonly string[] {
    return this.body.rawHeaders
  }

  /** Returns the whole body. Rejects with a `ResponseTooLongError` if it is longer than `limit` bytes. */
  async bytes(limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of this.body as AsyncIterable<Buffer>) {
      this.#idle?.restart()
      length += chunk.length
      if (length > limit) throw new ResponseTooLongError('the response is too long')
      chunks.push(chunk)
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  }

  async text(limit?: number): Promise<string> {
    return (await this.bytes(limit)).toString()
  }

  /** Returns at most the first `limit` bytes of the body, and closes the connection if there are more. */
  async prefix(limit: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of this.body as AsyncIterable<Buffer>) {
      this.#idle?.restart()
      chunks.push(chunk)
      length += chunk.length
      if (length >= limit) break
    }
    return Buffer.concat(chunks).subarray(0, limit)
  }

  /** Returns the whole body, decompressed. */
  async decodedBytes(): Promise<Buffer> {
    const bytes = await this.bytes()
    if (!this.#isCompressed) return bytes
    const { gunzip } = await import('node:zlib')
    return new Promise((resolve, reject) => {
      gunzip(bytes, (error, decoded) => (error ? reject(error) : resolve(decoded)))
    })
  }

  /** Returns the body as a stream, decompressed. It may be silent for any time. */
  async decodedBody(): Promise<Readable> {
    this.#idle?.stop()
    if (!this.#isCompressed) return this.body
    const { createGunzip } = await import('node:zlib')
    return pipeline(this.body, createGunzip(), () => {}) // the reader of the last stream sees an error of any of them
  }

  /** Skips the body, so that the connection is free for the next request. */
  discard(): void {
    this.body.resume()
  }

  get #isCompressed(): boolean {
    return this.headers['content-encoding'] === 'gzip'
  }
}
