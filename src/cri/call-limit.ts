import { whenAborted } from '../base/abort.js'
import type { Clock, Timer } from '../base/clock.js'
import { CriError } from './cri-error.js'

/** Cancels one call when its caller aborts, or when its timeout expires. */
export class CallLimit {
  readonly #timer: Timer | undefined
  readonly #stopListening: () => void
  /** Made only for a callee that looks at the signal: most calls are answered at once, and a signal costs more than the rest. */
  #controller: AbortController | undefined
  #over: { readonly reason: unknown } | undefined
  #reject: ((reason: unknown) => void) | undefined

  /** `limit` is in milliseconds; 0 is none. */
  constructor(clock: Clock, limit: number, caller: AbortSignal | undefined) {
    if (caller?.aborted) this.#end(caller.reason)
    this.#stopListening = whenAborted(caller, () => this.#end(caller?.reason))
    const late = () => this.#end(new CriError('DeadlineExceeded', 'context deadline exceeded'))
    if (limit > 0) this.#timer = clock.timer(limit, late)
  }

  /** The call rejects with the reason of this signal. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#over) this.#controller.abort(this.#over.reason)
    }
    return this.#controller.signal
  }

  throwIfOver(): void {
    if (this.#over) throw this.#over.reason
  }

  /** Settles with `answer`, or rejects with the reason as soon as the call may not go on. */
  race<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      if (this.#over) reject(this.#over.reason)
      answer.then(resolve, reject)
    })
  }

  /** The call is over: time and the caller's signal no longer matter. */
  release(): void {
    this.#stopListening()
    this.#timer?.cancel()
  }

  #end(reason: unknown): void {
    if (this.#over) return
    this.#over = { reason }
    this.#reject?.(reason)
    this.#controller?.abort(reason)
  }
}
