import type { ApiRequest } from '../request/request-context.js'

/** Names and values by turns, as they are sent: `['content-type', 'application/json', 'warning', '…']`. Names in lower case. */
export type HeaderList = readonly string[]

/** Answers a request. What it throws is logged and answered with 500, if nothing has been sent yet. */
export type RequestHandler = (request: ApiRequest, respond: Responder) => void | Promise<void>

/**
 * Where an answer is sent, whichever protocol carries it: either `whole`, or `head`, any number of `write`, and `end`.
 *
 * Nothing here throws because the client has gone: what is sent then is dropped. Who produces for long looks at `closed`, or
 * listens to the signal of the request.
 */
export interface Responder {
  /** All of it in one go, with its length: the fastest way. */
  whole(code: number, headers: HeaderList, bytes: Uint8Array): void
  /**
   * Is sent at once, so that a watcher knows that its watch stands. What is somebody else's is not compressed on the way, and a client may
   * take its time with it: who reads a log page by page holds back nobody but its source.
   */
  head(code: number, headers: HeaderList, isForeign?: boolean): void
  /** False: enough is waiting to be sent; await `drained` before the next one. */
  write(chunk: Uint8Array): boolean
  /** Resolves when there is room again, and also when the client has gone. */
  drained(): Promise<void>
  end(chunk?: Uint8Array): void
  /** Cuts the answer off where it stands; the client sees that it is not whole. */
  destroy(): void
  /** Bytes that wait to be sent. */
  readonly buffered: number
  /** The head has been sent, and the status is decided. */
  readonly started: boolean
  /** The client has gone, or the answer has been ended. */
  readonly closed: boolean
}

/** Neither event comes from a stream that is closed before: this resolves then, too. */
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

/** A header may hold any bytes, and Node writes one for each character: text is sent as its UTF-8. */
export function wireValue(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text).toString('latin1') : text
}
