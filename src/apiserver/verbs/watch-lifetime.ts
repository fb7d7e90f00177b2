import { whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'

export interface WatchLifetimeOptions {
  /** Each of them ends the watch: the client disconnects, the server closes. */
  readonly signals: readonly AbortSignal[]
  /** Ends the watch after some milliseconds. */
  readonly timeout?: { readonly clock: Clock; readonly milliseconds: number }
}

/**
 * How long a request watches a collection or waits for a revision. The signal is aborted when one of the given signals is, when the timeout
 * expires, or by `end`, which also releases timer and listeners.
 */
export class WatchLifetime {
  readonly #controller = new AbortController()
  readonly #releases: (() => void)[] = []

  constructor({ signals, timeout }: WatchLifetimeOptions) {
    const abort = () => this.#controller.abort()
    if (timeout) {
      const timer = timeout.clock.timer(timeout.milliseconds, abort)
      this.#releases.push(() => timer.cancel())
    }
    for (const signal of signals) {
      this.#releases.push(whenAborted(signal, abort))
      if (signal.aborted) abort()
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(): void {
    for (const release of this.#releases) release()
    this.#controller.abort()
  }
}
