import { whenAborted } from '../base/abort.js'
import type { Clock } from '../base/clock.js'
import { CriError } from './cri-error.js'

/** Cancels one call when its caller aborts, or when its timeout expires. */
export class CallLimit {
  readonly #controller = new AbortController()
  readonly #releases: (() => void)[] = []

  /** `timeout` is in milliseconds; 0 means none. */
  constructor(clock: Clock, timeout: number, caller: AbortSignal | undefined) {
    if (caller?.aborted) this.#controller.abort(caller.reason)
    this.#releases.push(whenAborted(caller, () => this.#controller.abort(caller?.reason)))
    if (timeout > 0) {
      const expire = () => this.#controller.abort(new CriError('DeadlineExceeded', 'context deadline exceeded'))
      const timer = clock.timer(timeout, expire)
      this.#releases.push(() => timer.cancel())
    }
  }

  /** The call rejects with the reason of this signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Ends the call: removes the timer and the listener on the caller's signal. */
  release(): void {
    for (const release of this.#releases) release()
  }
}
