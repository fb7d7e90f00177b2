import type { ApiRequest } from '../request/request-context.js'

/** Names and values alternating, as they are sent: `['content-type', 'application/json', 'warning', '…']`. Names in lower case. */
export type HeaderList = readonly string[]

/** Handles a request. An error that it throws is logged, and sent as 500 if nothing has been sent yet. */
export type RequestHandler = (request: ApiRequest, respond: Responder) => void | Promise<void>

/**
 * Sends a response, in any protocol: call either `whole`, or `head`, any number of `write`, and `end`.
 *
 * No method throws if the client has disconnected: the bytes are dropped. A long-running producer checks `closed`, or listens to the signal of
 * the request.
 */
export interface Responder {
  /** Sends a complete response with its length: the fastest way. */
  whole(code: number, headers: HeaderList, bytes: Uint8Array): void
  /**
   * Sends the headers at once, so that a watcher knows that its watch is open. A foreign response (of another server) is not compressed and
   * has no stall limit: a client that reads a log page by page blocks only the source.
   */
  head(code: number, headers: HeaderList, isForeign?: boolean): void
  /** Returns false if the buffer is full: await `drained` before the next write. */
  write(chunk: Uint8Array): boolean
  /** Resolves when the buffer has room, or the client has disconnected. */
  drained(): Promise<void>
  end(chunk?: Uint8Array): void
  /** Cuts off the response; the client sees that it is incomplete. */
  destroy(): void
  /** Bytes in the buffer. */
  readonly buffered: number
  /** Whether the headers have been sent. */
  readonly started: boolean
  /** Whether the client has disconnected, or the response has ended. */
  readonly closed: boolean
}

/** Resolves at the event, or when the stream closes without it. */
export function eventOf(
  stream: NodeJS.WritableStream & { readonly destroyed: boolean },
  event: 'drain' | 'finish',
): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve()
    const done = () => {
      stream.off(event, done)
      stream.off('close', done)
      resolve()
    }
    stream.on(event, done)
    stream.on('close', done)
  })
}

const beyondAscii = /[\x80-\uffff]/

/** Encodes text as UTF-8 for a header: Node writes one byte per character. */
export function wireValue(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text).toString('latin1') : text
}
