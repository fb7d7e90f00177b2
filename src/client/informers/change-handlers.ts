import type { Change } from './informer.js'

interface Handler<T> {
  readonly handle: (change: Change<T>) => void
  isEnded: boolean
}

/** Those who are told of changes. */
export class ChangeHandlers<T> {
  readonly #report: (error: unknown) => void
  /** Replaced and never changed: whoever comes while a change is being told has seen that one already. */
  #handlers: readonly Handler<T>[] = []

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Tells what is there already, then every change. */
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

  /** One who fails keeps nobody else from hearing. */
  #call(handler: Handler<T>, change: Change<T>): void {
    if (handler.isEnded) return
    try {
      handler.handle(change)
    } catch (error) {
      this.#report(error)
    }
  }
}
