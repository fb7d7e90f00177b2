import { whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'

/** Lets a loop sleep until its time has come, or until somebody wakes it. */
export class WakeableSleep {
  readonly #clock: Clock
  #isRinging = false
  #wake: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whoever sleeps wakes up; if nobody does, the next one does not fall asleep. */
  wake(): void {
    this.#isRinging = true
    this.#wake?.()
  }

  /** Resolves after `delay` milliseconds, when the alarm rings, or with the signal. */
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
