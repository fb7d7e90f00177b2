import type { Clock, Timer } from '../../base/clock.js'
import { systemClock } from '../../base/clock.js'

/** The real time, which a test can push forward: leases expire without waiting, while everything else goes at its usual pace. */
export class AdvancingClock implements Clock {
  #ahead = 0
  readonly #timers = new Set<{ readonly due: number; readonly real: Timer; readonly run: () => void }>()

  now(): number {
    return systemClock.now() + this.#ahead
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#ahead
  }

  timer(delay: number, run: () => void): Timer {
    const once = () => {
      this.#timers.delete(timer)
      timer.real.cancel()
      run()
    }
    const timer = { due: this.monotonic() + delay, real: systemClock.timer(delay, once), run: once }
    this.#timers.add(timer)
    return {
      cancel: () => {
        this.#timers.delete(timer)
        timer.real.cancel()
      },
    }
  }

  /** Moves the time, runs what has become due in the order of its times, and leaves a moment for what that sets going. */
  async advance(milliseconds: number): Promise<void> {
    this.#ahead += milliseconds
    const due = [...this.#timers].filter((timer) => timer.due <= this.monotonic()).sort((a, b) => a.due - b.due)
    for (const timer of due) if (this.#timers.has(timer)) timer.run()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
