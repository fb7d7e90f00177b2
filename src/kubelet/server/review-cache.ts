import type { Clock } from '../../base/clock.js'

interface CachedReview<Result> {
  readonly result: Promise<Result>
  until: number
}

/** Caches the results of reviews. Errors are not cached. */
export class ReviewCache<Result> {
  readonly #clock: Clock
  readonly #lifeOf: (result: Result) => number
  readonly #atMost: number
  /** In request order. */
  readonly #known = new Map<string, CachedReview<Result>>()

  /** `lifeOf` returns milliseconds. */
  constructor(clock: Clock, lifeOf: (result: Result) => number, atMost = 1024) {
    this.#clock = clock
    this.#lifeOf = lifeOf
    this.#atMost = atMost
  }

  get(key: string, review: () => Promise<Result>): Promise<Result> {
    const known = this.#known.get(key)
    if (known && known.until > this.#clock.monotonic()) return known.result
    this.#known.delete(key)
    for (const oldest of this.#known.keys()) if (this.#known.size >= this.#atMost) this.#known.delete(oldest)
    const cached: CachedReview<Result> = { result: review(), until: Number.POSITIVE_INFINITY }
    this.#known.set(key, cached)
    cached.result.then(
      (result) => {
        cached.until = this.#clock.monotonic() + this.#lifeOf(result)
      },
      () => this.#known.get(key) === cached && this.#known.delete(key),
    )
    return cached.result
  }
}
