import type { Clock, Timer } from '../../base/clock.js'

/** Watches whose bookmarks fall into the same second get them together, in milliseconds. */
const resolution = 1000

interface Batch {
  readonly timer: Timer
  readonly callbacks: Set<() => void>
}

/** Timers for the bookmarks of watches. One timer of the clock serves all that are due in the same second: a server has many idle watches. */
export class ProgressTimers {
  readonly #clock: Clock
  readonly #batches = new Map<number, Batch>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `run` once, after about `delay` milliseconds: never later, and at most one second earlier. */
  add(delay: number, run: () => void): Timer {
    const due = this.#due(delay)
    const batch = this.#batches.get(due) ?? this.#open(due)
    batch.callbacks.add(run)
    return { cancel: () => this.#remove(due, batch, run) }
  }

  #due(delay: number): number {
    const now = this.#clock.monotonic()
    const rounded = Math.floor((now + delay) / resolution) * resolution
    return rounded > now ? rounded : now + delay
  }

  #open(due: number): Batch {
    const callbacks = new Set<() => void>()
    const timer = this.#clock.timer(due - this.#clock.monotonic(), () => {
      this.#batches.delete(due)
      for (const run of callbacks) run()
    })
    const batch = { timer, callbacks }
    this.#batches.set(due, batch)
    return batch
  }

  #remove(due: number, batch: Batch, run: () => void): void {
    batch.callbacks.delete(run)
    if (batch.callbacks.size > 0 || this.#batches.get(due) !== batch) return
    batch.timer.cancel()
    this.#batches.delete(due)
  }
}
