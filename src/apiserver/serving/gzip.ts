import { constants, createGzip, type Gzip } from 'node:zlib'
import type { ApiRequest } from '../request/request-context.js'
import { eventOf, type HeaderList, type Responder } from './responder.js'

/** Below this, compressing costs more than it saves. */
export const gzipThreshold = 128 * 1024

/** Reports whether the response may be compressed: only responses to GET are. */
export function acceptsGzip(request: ApiRequest): boolean {
  const accepted = request.headers['accept-encoding']
  if (accepted === undefined || request.method !== 'GET') return false
  if (accepted === 'gzip') return true
  return String(accepted).split(',').some(namesGzip)
}

/** `gzip;q=0` means that the client does not accept it. */
function namesGzip(coding: string): boolean {
  const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase())
  if (name !== 'gzip' && name !== '*') return false
  return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
}

/**
 * Compresses responses whose `content-length` is large enough. A response of unknown length is a stream of small pieces, such as a watch, and
 * is not compressed.
 *
 * Other threads compress it piece by piece, only as fast as the client reads.
 */
export class GzipResponder implements Responder {
  readonly #raw: Responder
  #gzip: Gzip | undefined

  constructor(raw: Responder) {
    this.#raw = raw
  }

  whole(code: number, headers: HeaderList, bytes: Uint8Array): void {
    if (bytes.length < gzipThreshold) this.#raw.whole(code, headers, bytes)
    else {
      this.#start(code, headers)
      this.end(bytes)
    }
  }

  head(code: number, headers: HeaderList, isForeign = false): void {
    if (isForeign || Number(valueIn(headers, 'content-length') ?? 0) < gzipThreshold)
      this.#raw.head(code, headers, isForeign)
    else this.#start(code, headers)
  }

  write(chunk: Uint8Array): boolean {
    if (!this.#gzip) return this.#raw.write(chunk)
    return !this.closed && this.#gzip.write(chunk)
  }

  drained(): Promise<void> {
    return this.#gzip ? eventOf(this.#gzip, 'drain') : this.#raw.drained()
  }

  end(chunk?: Uint8Array): void {
    if (!this.#gzip) this.#raw.end(chunk)
    else if (!this.closed) this.#gzip.end(chunk)
  }

  destroy(): void {
    this.#gzip?.destroy()
    this.#raw.destroy()
  }

  get buffered(): number {
    return this.#raw.buffered + (this.#gzip ? this.#gzip.writableLength + this.#gzip.readableLength : 0)
  }

  get started(): boolean {
    return this.#raw.started
  }

  get closed(): boolean {
    return this.#raw.closed || this.#gzip?.writableEnded === true
  }

  #start(code: number, headers: HeaderList): void {
    const encoded = [...without(headers, 'content-length'), 'content-encoding', 'gzip', 'vary', 'Accept-Encoding']
    this.#raw.head(code, encoded)
    const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 })
    this.#gzip = gzip
    gzip.on('data', (piece: Buffer) => {
      if (this.#raw.write(piece)) return
      gzip.pause()
      void this.#raw.drained().then(() => (this.#raw.closed ? gzip.destroy() : gzip.resume()))
    })
    gzip.on('end', () => this.#raw.end())
  }
}

function valueIn(headers: HeaderList, name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) return headers[index + 1]
  return undefined
}

function without(headers: HeaderList, name: string): string[] {
  return headers.filter((_, index) => headers[index - (index % 2)] !== name)
}
