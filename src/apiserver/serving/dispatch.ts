import type { Logger } from '../../base/logging.js'
import type { ApiRequest } from '../request/request-context.js'
import { ClientGone } from './body.js'
import { acceptsGzip, GzipResponder } from './gzip.js'
import type { RequestHandler, Responder } from './responder.js'
import { Turns } from './turns.js'

const plainText = ['content-type', 'text/plain; charset=utf-8', 'x-content-type-options', 'nosniff']

/** Has a request answered, and keeps the server alive whatever comes of it. */
export class Dispatcher {
  readonly #handle: RequestHandler
  readonly #log: Logger
  readonly #turns = new Turns()

  constructor(handle: RequestHandler, log: Logger) {
    this.#handle = handle
    this.#log = log
  }

  run(request: ApiRequest, raw: Responder): void {
    this.#turns.add(() => this.#begin(request, raw))
  }

  #begin(request: ApiRequest, raw: Responder): void {
    const respond = acceptsGzip(request) ? new GzipResponder(raw) : raw
    try {
      const running = this.#handle(request, respond)
      if (running !== undefined) running.then(undefined, (error: unknown) => this.#failed(request, respond, error))
    } catch (error) {
      this.#failed(request, respond, error)
    }
  }

  /** A target that is malformed has no path that stages could look at. */
  refuse(raw: Responder): void {
    raw.whole(400, plainText, Buffer.from('400 Bad Request'))
  }

  #failed(request: ApiRequest, respond: Responder, error: unknown): void {
    const hasGone = error instanceof ClientGone
    if (!hasGone)
      this.#log.error('a request could not be answered', { method: request.method, path: request.path, error })
    if (hasGone || respond.started) respond.destroy()
    else respond.whole(500, plainText, Buffer.from('500 Internal Server Error'))
  }
}
