import type { Clock } from '../../base/clock.js'

/** Timestamps in nanoseconds. `next` is strictly increasing, so that the order of creation is visible. */
export class SimulatedTime {
  readonly #clock: Clock
  #last = 0n

  constructor(clock: Clock) {
    this.#clock = clock
  }

  next(): bigint {
    const now = BigInt(this.#clock.now()) * 1_000_000n
    this.#last = now > this.#last ? now : this.#last + 1n
    return this.#last
  }

  /** The current time; several calls may return the same. */
  now(): bigint {
    const now = BigInt(this.#clock.now()) * 1_000_000n
    if (now > this.#last) this.#last = now
    return this.#last
  }
}
