import type { Clock, Timer } from '../../../base/clock.js'

/**
 * Whether this etcd reports the progress of a watch correctly on request. Before 3.4.31 and 3.5.13 it does not: the response can overtake
 * changes, or never come.
 */
export function reportsProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number)
  if (major !== 3) return major > 3
  if (minor === 4) return patch >= 31
  if (minor === 5) return patch >= 13
  return minor > 5
}

/** Calls `request` when nothing was reported for most of the interval, so that the response comes within it. */
export class ProgressTimer {
  readonly #clock: Clock
  readonly #delay: number
  readonly #request: () => void
  #timer: Timer
  #reportedAt: number

  constructor(clock: Clock, interval: number, request: () => void) {
    this.#clock = clock
    this.#delay = interval * 0.75
    this.#request = request
    this.#reportedAt = clock.monotonic()
    this.#timer = clock.timer(this.#delay, () => this.#due())
  }

  reported(): void {
    this.#reportedAt = this.#clock.monotonic()
  }

  stop(): void {
    this.#timer.cancel()
  }

  #due(): void {
    const silence = this.#clock.monotonic() - this.#reportedAt
    this.#timer = this.#clock.timer(silence < this.#delay ? this.#delay - silence : this.#delay, () => this.#due())
    if (silence >= this.#delay) this.#request()
  }
}
