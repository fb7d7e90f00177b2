import type { Logger } from '../../base/logging.js'
import type { ApiRequest } from '../request/request-context.js'
import { ClientGone } from './body.js'
import { acceptsGzip, GzipResponder } from './gzip.js'
import { immediateStarter, RequestBatcher, type RequestStarter } from './request-batcher.js'
import type { RequestHandler, Responder } from './responder.js'

const plainText = ['content-type', 'text/plain; charset=utf-8', 'x-content-type-options', 'nosniff']

export interface DispatcherOptions {
  readonly handle: RequestHandler
  readonly log: Logger
  /** Whether requests that arrive together are started together. */
  readonly batches: boolean
}

/** Hands requests to the handler, and keeps the server alive whatever the handler throws. */
export class Dispatcher {
  readonly #handle: RequestHandler
  readonly #log: Logger
  readonly #starter: RequestStarter

  constructor({ handle, log, batches }: DispatcherOptions) {
    this.#handle = handle
    this.#log = log
    this.#starter = batches ? new RequestBatcher() : immediateStarter
  }

  run(request: ApiRequest, raw: Responder): void {
    this.#starter.add(() => this.#begin(request, raw))
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

  /** Rejects a request whose target is malformed: it has no path that a stage could read. */
  reject(raw: Responder): void {
    raw.whole(400, plainText, Buffer.from('400 Bad Request'))
  }

  #failed(request: ApiRequest, respond: Responder, error: unknown): void {
    const hasGone = error instanceof ClientGone
    if (!hasGone) this.#log.error('request handler failed', { method: request.method, path: request.path, error })
    if (hasGone || respond.started) respond.destroy()
    else respond.whole(500, plainText, Buffer.from('500 Internal Server Error'))
  }
}
