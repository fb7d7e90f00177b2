import { type Clock, sleep } from './clock.js'

export interface TokenBucketOptions {
  /** Tokens that are added per second. */
  readonly rate: number
  /** The capacity of the bucket; it starts full. */
  readonly burst: number
}

/** Milliseconds. A shorter wait is only a rounding error. */
const rounding = 0.001

/** Allows `rate` actions per second on average, and up to `burst` at once after a quiet time. */
export class TokenBucket {
  readonly #clock: Clock
  readonly #interval: number
  readonly #capacity: number
  /**
   * When the bucket will be full again; each token that is taken moves it by the interval between tokens. A count of tokens would
   * accumulate rounding errors.
   */
  #fullAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, { rate, burst }: TokenBucketOptions) {
    if (!(rate > 0 && burst >= 1 && Number.isFinite(burst)))
      throw new RangeError(`a bucket of ${burst} tokens and ${rate} more per second lets nothing through`)
    this.#clock = clock
    this.#interval = 1000 / rate
    this.#capacity = burst * this.#interval
  }

  /** Takes a token if there is one. */
  tryTake(): boolean {
    if (this.#wait() > 0) return false
    this.reserve()
    return true
  }

  /** Takes the next token, even if it is not there yet. Returns the milliseconds until it is. */
  reserve(): number {
    const wait = this.#wait()
    this.#fullAt = Math.max(this.#fullAt, this.#clock.monotonic()) + this.#interval
    return wait
  }

  /** Takes the next token and waits for it. If the signal aborts the wait, the token is returned. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const wait = this.reserve()
    if (wait === 0) return
    try {
      await sleep(this.#clock, wait, signal)
    } catch (error) {
      this.#fullAt -= this.#interval
      throw error
    }
  }

  #wait(): number {
    const now = this.#clock.monotonic()
    const wait = Math.max(this.#fullAt, now) + this.#interval - this.#capacity - now
    return wait < rounding ? 0 : wait
  }
}
