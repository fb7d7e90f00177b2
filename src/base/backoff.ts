import type { Environment } from './environment.js'

export interface BackoffOptions {
  /** The delay after the first failure, in milliseconds. */
  readonly initial: number
  /** The factor from one delay to the next. */
  readonly factor?: number
  /** The maximum delay, without jitter. */
  readonly max: number
  /** Lengthens each delay by a random share of itself, up to this one: 0.1 for up to a tenth. */
  readonly jitter?: number
  /** A failure more than this many milliseconds after the previous one counts as the first. Never by default. */
  readonly resetAfter?: number
}

/** The delay before the next attempt: it grows with each failure, up to a maximum. */
export class Backoff {
  readonly #environment: Pick<Environment, 'clock' | 'random'>
  readonly #options: Required<BackoffOptions>
  #failures = 0
  #lastFailure = Number.NEGATIVE_INFINITY
  #delay = 0

  constructor(environment: Pick<Environment, 'clock' | 'random'>, options: BackoffOptions) {
    this.#environment = environment
    this.#options = checked(options)
  }

  /** Failures since the start or the last reset. */
  get failures(): number {
    return this.expired ? 0 : this.#failures
  }

  /** Whether the last failure is so long ago that it no longer counts. */
  get expired(): boolean {
    return this.#sinceLastFailure > this.#options.resetAfter
  }

  /** The remaining milliseconds of the current delay; 0 if it has passed, or nothing failed. */
  get remaining(): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#delay - this.#sinceLastFailure)
  }

  /** Counts a failure. Returns the milliseconds to wait from now on. */
  next(): number {
    const { initial, factor, max, jitter } = this.#options
    const { failures } = this
    const { clock, random } = this.#environment
    const delay = Math.min(max, initial * factor ** failures)
    this.#delay = jitter === 0 ? delay : delay * (1 + jitter * random.float())
    this.#failures = failures + 1
    this.#lastFailure = clock.monotonic()
    return this.#delay
  }

  /** The attempt succeeded: the next failure counts as the first. */
  reset(): void {
    this.#failures = 0
  }

  get #sinceLastFailure(): number {
    return this.#environment.clock.monotonic() - this.#lastFailure
  }
}

function checked(options: BackoffOptions): Required<BackoffOptions> {
  const { initial, factor = 2, max, jitter = 0, resetAfter = Number.POSITIVE_INFINITY } = options
  if (!(initial > 0 && max >= initial && factor >= 1 && jitter >= 0 && resetAfter >= 0))
    throw new RangeError(`invalid backoff delays: ${JSON.stringify(options)}`)
  return { initial, factor, max, jitter, resetAfter }
}

/** A backoff for each key. Keys are compared as in a `Map`. */
export class KeyedBackoff<K = string> {
  readonly #environment: Pick<Environment, 'clock' | 'random'>
  readonly #options: BackoffOptions
  /** By time of the last failure, the earliest first: expired entries are at the front. */
  readonly #backoffs = new Map<K, Backoff>()

  constructor(environment: Pick<Environment, 'clock' | 'random'>, options: BackoffOptions) {
    this.#environment = environment
    this.#options = checked(options)
  }

  /** The number of keys with a backoff. */
  get size(): number {
    return this.#backoffs.size
  }

  failures(key: K): number {
    return this.#backoffs.get(key)?.failures ?? 0
  }

  remaining(key: K): number {
    return this.#backoffs.get(key)?.remaining ?? 0
  }

  next(key: K): number {
    const backoff = this.#backoffs.get(key) ?? new Backoff(this.#environment, this.#options)
    this.#backoffs.delete(key)
    this.#dropExpired()
    this.#backoffs.set(key, backoff)
    return backoff.next()
  }

  forget(key: K): void {
    this.#backoffs.delete(key)
  }

  #dropExpired(): void {
    for (const [key, backoff] of this.#backoffs) {
      if (!backoff.expired) return
      this.#backoffs.delete(key)
    }
  }
}
