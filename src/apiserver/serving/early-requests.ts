import type { RequestHandler } from './responder.js'
import type { ServeOptions } from './server.js'

type Handlers = Required<Pick<ServeOptions, 'handle' | 'upgrade'>>

/**
 * Accepts requests before the server is ready: they wait until `opened` is called. So the port is known while the server is still being
 * created.
 */
export class EarlyRequests implements Handlers {
  readonly opened: (handlers: Handlers) => void
  readonly #waiting: Promise<Handlers>
  #handlers: Handlers | undefined

  constructor() {
    let resolve: (handlers: Handlers) => void
    this.#waiting = new Promise((resolved) => {
      resolve = resolved
    })
    this.opened = (handlers) => {
      this.#handlers = handlers
      resolve(handlers)
    }
  }

  readonly handle: RequestHandler = (request, respond) => {
    if (this.#handlers) return this.#handlers.handle(request, respond)
    return this.#waiting.then((handlers) => handlers.handle(request, respond))
  }

  readonly upgrade: Handlers['upgrade'] = (request, socket, head) => {
    if (this.#handlers) this.#handlers.upgrade(request, socket, head)
    else void this.#waiting.then((handlers) => handlers.upgrade(request, socket, head))
  }
}
