import type { Environment } from './environment.js'

export interface BackoffOptions {
  /** The delay after the first failure, in milliseconds. */
  readonly initial: number
  /** Each further delay is so many times the one before. */
  readonly factor?: number
  /** No delay is longer, jitter aside. */
  readonly max: number
  /** Each delay is lengthened by a random share of itself, up to this one: 0.1 spreads over the next tenth. */
  readonly jitter?: number
  /** A failure that comes more than so many milliseconds after the one before counts as the first. Never, if left out. */
  readonly resetAfter?: number
}

/** How long to wait before the next attempt at one thing: ever longer from failure to failure, up to a limit. */
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

  /** The last failure is so long ago that it no longer counts. */
  get expired(): boolean {
    return this.#sinceLastFailure > this.#options.resetAfter
  }

  /** Milliseconds that are left of the delay after the last failure; 0 when it is over, or nothing failed. */
  get remaining(): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#delay - this.#sinceLastFailure)
  }

  /** Counts one more failure. Gives the milliseconds to wait from now on. */
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

  /** It worked: the next failure is the first again. */
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
    throw new RangeError(`these delays make no back-off: ${JSON.stringify(options)}`)
  return { initial, factor, max, jitter, resetAfter }
}

/** A back-off for each of many things. Keys are told apart as in a `Map`. */
export class KeyedBackoff<K = string> {
  readonly #environment: Pick<Environment, 'clock' | 'random'>
  readonly #options: BackoffOptions
  /** By time of the last failure, earliest first: what has expired is at the front. */
  readonly #backoffs = new Map<K, Backoff>()

  constructor(environment: Pick<Environment, 'clock' | 'random'>, options: BackoffOptions) {
    this.#environment = environment
    this.#options = checked(options)
  }

  /** How many keys are remembered. */
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
