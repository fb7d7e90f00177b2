import { whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'

/** Lets a loop sleep until a delay is over or `wake` is called. */
export class WakeableSleep {
  readonly #clock: Clock
  #isRinging = false
  #wake: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Ends the current sleep, or else the next one. */
  wake(): void {
    this.#isRinging = true
    this.#wake?.()
  }

  /** Resolves after `delay` milliseconds, on `wake`, or when the signal aborts. */
  async sleep(delay: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRinging && !signal.aborted) await this.#sleep(delay, signal)
    this.#isRinging = false
  }

  #sleep(delay: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel()
        stopListening()
        this.#wake = undefined
        resolve()
      }
      const timer = this.#clock.timer(delay, wake)
      const stopListening = whenAborted(signal, wake)
      this.#wake = wake
    })
  }
}
