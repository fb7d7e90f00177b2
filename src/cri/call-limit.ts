import { whenAborted } from '../base/abort.js'
import type { Clock } from '../base/clock.js'
import { CriError } from './cri-error.js'

/** How long one call may go on: until its caller gives up, or its time is over. */
export class CallLimit {
  readonly #controller = new AbortController()
  readonly #releases: (() => void)[] = []

  /** `limit` is in milliseconds; 0 is none. */
  constructor(clock: Clock, limit: number, caller: AbortSignal | undefined) {
    if (caller?.aborted) this.#controller.abort(caller.reason)
    this.#releases.push(whenAborted(caller, () => this.#controller.abort(caller?.reason)))
    if (limit > 0) {
      const late = () => this.#controller.abort(new CriError('DeadlineExceeded', 'context deadline exceeded'))
      const timer = clock.timer(limit, late)
      this.#releases.push(() => timer.cancel())
    }
  }

  /** Its reason is what the call then rejects with. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The call is over: time and the caller's signal no longer matter. */
  release(): void {
    for (const release of this.#releases) release()
  }
}
