/** Lets one through, then none until its interval is over: nodes of a zone are given up one by one. */
class RateGate {
  readonly rate: number
  readonly #interval: number
  /** By the monotonic clock. */
  #opensAt: number

  /** `rate` is in nodes per second; at 0 it never opens. */
  constructor(rate: number, opensAt = Number.NEGATIVE_INFINITY) {
    this.rate = rate
    this.#interval = 1000 / rate
    this.#opensAt = rate > 0 ? opensAt : Number.POSITIVE_INFINITY
  }

  wait(now: number): number {
    return Math.max(this.#opensAt - now, 0)
  }

  pass(now: number): void {
    this.#opensAt = now + this.#interval
  }
}

/** The nodes of a zone that are to be given up, first come first served. */
export class EvictionQueue {
  readonly #waiting = new Set<string>()
  #gate: RateGate

  constructor(rate: number) {
    this.#gate = new RateGate(rate)
  }

  get rate(): number {
    return this.#gate.rate
  }

  get first(): string | undefined {
    return this.#waiting.values().next().value
  }

  add(node: string): void {
    this.#waiting.add(node)
  }

  remove(node: string): void {
    this.#waiting.delete(node)
  }

  /** Milliseconds until the next may be given up: 0 for now, infinite for never. */
  wait(now: number): number {
    return this.#gate.wait(now)
  }

  pass(now: number): void {
    this.#gate.pass(now)
  }

  /** Whoever had to wait before the change waits at the new rate as well, from the beginning. */
  changeRate(rate: number, now: number): void {
    if (rate === this.rate) return
    this.#gate = new RateGate(rate, this.#gate.wait(now) > 0 ? now + 1000 / rate : undefined)
  }
}
