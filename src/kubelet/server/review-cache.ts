import type { Clock } from '../../base/clock.js'

interface Recent<Answer> {
  readonly answer: Promise<Answer>
  until: number
}

/** Caches the results of reviews. Errors are not cached. */
export class ReviewCache<Answer> {
  readonly #clock: Clock
  readonly #lifeOf: (answer: Answer) => number
  readonly #atMost: number
  /** In request order. */
  readonly #known = new Map<string, Recent<Answer>>()

  /** `lifeOf` returns milliseconds. */
  constructor(clock: Clock, lifeOf: (answer: Answer) => number, atMost = 1024) {
    this.#clock = clock
    this.#lifeOf = lifeOf
    this.#atMost = atMost
  }

  get(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#known.get(question)
    if (known && known.until > this.#clock.monotonic()) return known.answer
    this.#known.delete(question)
    for (const oldest of this.#known.keys()) if (this.#known.size >= this.#atMost) this.#known.delete(oldest)
    const recent: Recent<Answer> = { answer: ask(), until: Number.POSITIVE_INFINITY }
    this.#known.set(question, recent)
    recent.answer.then(
      (answer) => {
        recent.until = this.#clock.monotonic() + this.#lifeOf(answer)
      },
      () => this.#known.get(question) === recent && this.#known.delete(question),
    )
    return recent.answer
  }
}
