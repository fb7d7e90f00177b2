import { unlessAborted } from '../base/abort.js'

interface Attempt<T> {
  readonly result: Promise<T>
  readonly stopping: AbortController
  /** Who waits for it. Never joined again once it is back at 0. */
  callers: number
}

/** One attempt at a time, for everybody who asks meanwhile: a plugin may want to talk to a person, and refresh tokens work once. */
export class SingleFlight<T> {
  #attempt: Attempt<T> | undefined

  /** Joins the attempt under way, or starts one. A caller leaves with its signal; the last one to leave stops the attempt. */
  async run(start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    this.#attempt ??= this.#started(start)
    const attempt = this.#attempt
    attempt.callers++
    try {
      return await unlessAborted(attempt.result, signal)
    } finally {
      if (--attempt.callers === 0) this.#end(attempt)
    }
  }

  #started(start: (signal: AbortSignal) => Promise<T>): Attempt<T> {
    const stopping = new AbortController()
    const result = start(stopping.signal)
    result.catch(() => {}) // everybody may have left; who has not, gets it from `run`
    return { result, stopping, callers: 0 }
  }

  #end(attempt: Attempt<T>): void {
    attempt.stopping.abort()
    if (this.#attempt === attempt) this.#attempt = undefined
  }
}
