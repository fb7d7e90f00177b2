import { KeyedBackoff } from '../../base/backoff.js'
import type { Environment } from '../../base/environment.js'

/** As upstream has them, in milliseconds. */
const shortest = 10_000
const longest = 300_000

/** Holds pulls back that failed before, each pod's of each image by itself, and remembers what they failed with. */
export class PullBackoff {
  readonly #backoff: KeyedBackoff
  /** Of those that are held back, and no others. */
  readonly #errors = new Map<string, string>()

  constructor(environment: Pick<Environment, 'clock' | 'random'>) {
    this.#backoff = new KeyedBackoff(environment, { initial: shortest, max: longest, resetAfter: 2 * longest })
  }

  /** What the last pull failed with, if it is too early for another; else undefined. */
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
