import type { Clock } from '../../base/clock.js'

/** Nanoseconds since the epoch, each later than the one before: what was made later is seen to be later. */
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

  /** The moment at hand, which others may share. */
  now(): bigint {
    const now = BigInt(this.#clock.now()) * 1_000_000n
    if (now > this.#last) this.#last = now
    return this.#last
  }
}
