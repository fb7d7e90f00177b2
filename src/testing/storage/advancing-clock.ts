import type { Clock, Timer } from '../../base/clock.js'
import { systemClock } from '../../base/clock.js'

/** The real time, which a test can push forward: leases expire without waiting, while everything else goes at its usual pace. */
export class AdvancingClock implements Clock {
  #ahead = 0
  readonly #timers = new Set<Waiting>()

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
    const timer: Waiting = { due: this.monotonic() + delay, real: systemClock.timer(delay, once), run: once }
    this.#timers.add(timer)
    return {
      cancel: () => {
        this.#timers.delete(timer)
        timer.real.cancel()
      },
    }
  }

  /** Moves the time from one due timer to the next, with a moment after each for what it sets going. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.monotonic() + milliseconds
    for (let timer = this.#earliest(); timer && timer.due <= end; timer = this.#earliest()) {
      this.#moveTo(timer.due)
      timer.run()
      await moment()
    }
    this.#moveTo(end)
    await moment()
  }

  #moveTo(time: number): void {
    this.#ahead += Math.max(0, time - this.monotonic())
  }

  #earliest() {
    let earliest: Waiting | undefined
    for (const timer of this.#timers) if (!earliest || timer.due < earliest.due) earliest = timer
    return earliest
  }
}

interface Waiting {
  readonly due: number
  readonly real: Timer
  readonly run: () => void
}

function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1))
}
