/** Limits a rate without bursts: one node passes, then none until the interval is over. */
class RateGate {
  readonly rate: number
  readonly #interval: number
  /** By the monotonic clock, as all times here. */
  #opensAt: number

  /** `rate` is in nodes per second; at 0 the gate never opens. */
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

/** The nodes of a zone whose pods are to be evicted, in the order in which they became unready. */
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

  /** Milliseconds until the next node may be tainted: 0 for now, infinite for never. */
  wait(now: number): number {
    return this.#gate.wait(now)
  }

  /** Starts the interval after which the next node may be tainted. */
  pass(now: number): void {
    this.#gate.pass(now)
  }

  /** If the queue has to wait, it waits for a whole interval of the new rate. */
  changeRate(rate: number, now: number): void {
    if (rate === this.rate) return
    this.#gate = new RateGate(rate, this.#gate.wait(now) > 0 ? now + 1000 / rate : undefined)
  }
}
