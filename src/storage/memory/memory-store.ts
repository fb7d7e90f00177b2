import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import { defaultHistoryWindow, LocalStore } from '../engine/local-store.js'
import type { Medium } from '../engine/medium.js'
import { MemoryMedium } from './memory-medium.js'

export interface MemoryStoreOptions {
  readonly environment?: Environment
  /** How long history is kept, in milliseconds; five minutes unless told. */
  readonly historyWindow?: number
}

/**
 * A store for tests. Nothing outlives it, but it can be forked: a suite prepares a state once, and each test goes on from there.
 */
export class MemoryStore extends LocalStore {
  readonly #options: MemoryStoreOptions
  readonly #medium: MemoryMedium

  constructor(options: MemoryStoreOptions = {}, medium: MemoryMedium = new MemoryMedium()) {
    const { environment = realEnvironment(), historyWindow = defaultHistoryWindow } = options
    super({ environment, historyWindow, medium: medium as Medium, defer: queueMicrotask })
    this.#options = options
    this.#medium = medium
  }

  /**
   * A copy of everything that is acknowledged by now, history and leases included, in about a millisecond whatever its size.
   * Both sides live on independently; the leases of the copy have their whole time again. Watches stay with the original.
   */
  fork(options: MemoryStoreOptions = {}): MemoryStore {
    return new MemoryStore({ ...this.#options, ...options }, new MemoryMedium(this.#medium))
  }
}
