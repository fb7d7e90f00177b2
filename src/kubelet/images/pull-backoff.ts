import { KeyedBackoff } from '../../base/backoff.js'
import type { Environment } from '../../base/environment.js'

/** Upstream's values in milliseconds. */
const shortest = 10_000
const longest = 300_000

/** Delays pulls after failures, for each pod and image, and remembers the last error. */
export class PullBackoff {
  readonly #backoff: KeyedBackoff
  /** Errors of pulls that are currently delayed. */
  readonly #errors = new Map<string, string>()

  constructor(environment: Pick<Environment, 'clock' | 'random'>) {
    this.#backoff = new KeyedBackoff(environment, { initial: shortest, max: longest, resetAfter: 2 * longest })
  }

  /** Returns the error of the last pull if it is too early for another, or undefined. */
  lastError(key: string): string | undefined {
    if (this.#backoff.remaining(key) > 0) return this.#errors.get(key)
    this.#errors.delete(key)
    return undefined
  }

  failed(key: string, error: string): void {
    for (const other of this.#errors.keys()) if (this.#backoff.remaining(other) === 0) this.#errors.delete(other)
    this.#backoff.next(key)
    this.#errors.set(key, error)
  }

  succeeded(key: string): void {
    this.#backoff.forget(key)
  }
}
