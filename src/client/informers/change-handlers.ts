import type { Change } from './informer.js'

interface Handler<T> {
  readonly handle: (change: Change<T>) => void
  isEnded: boolean
}

/** The change handlers of an informer. */
export class ChangeHandlers<T> {
  readonly #report: (error: unknown) => void
  /** Replaced, never mutated: a handler that is added during a notification has already seen that change. */
  #handlers: readonly Handler<T>[] = []

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Calls `handle` with the present objects, then with every change. Returns an unsubscribe function. */
  add(handle: (change: Change<T>) => void, present: Iterable<T>): () => void {
    const handler = { handle, isEnded: false }
    this.#handlers = [...this.#handlers, handler]
    for (const object of present) this.#call(handler, { type: 'added', object })
    return () => {
      handler.isEnded = true
      this.#handlers = this.#handlers.filter((each) => each !== handler)
    }
  }

  notify(change: Change<T>): void {
    for (const handler of this.#handlers) this.#call(handler, change)
  }

  /** Reports an error of one handler, so that the others are called as well. */
  #call(handler: Handler<T>, change: Change<T>): void {
    if (handler.isEnded) return
    try {
      handler.handle(change)
    } catch (error) {
      this.#report(error)
    }
  }
}
