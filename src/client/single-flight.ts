import { unlessAborted } from '../base/abort.js'

interface Attempt<T> {
  readonly result: Promise<T>
  readonly stopping: AbortController
  /** Number of waiting callers. Once it is back at 0, nobody joins any more. */
  callers: number
}

/** Shares one running attempt between all callers: a plugin may prompt the user, and refresh tokens work only once. */
export class SingleFlight<T> {
  #attempt: Attempt<T> | undefined

  /** Joins the running attempt, or starts one. A caller leaves with its signal; the last one to leave aborts the attempt. */
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
    result.catch(() => {}) // for the case that all callers have left; the others get the error from `run`
    return { result, stopping, callers: 0 }
  }

  #end(attempt: Attempt<T>): void {
    attempt.stopping.abort()
    if (this.#attempt === attempt) this.#attempt = undefined
  }
}
