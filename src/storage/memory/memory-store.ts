import { type Environment, environment as realEnvironment } from '../../base/environment.js'
import { defaultHistoryWindow, LocalStore } from '../engine/local-store.js'
import type { Medium } from '../engine/medium.js'
import { MemoryMedium } from './memory-medium.js'

export interface MemoryStoreOptions {
  readonly environment?: Environment
  /** How long history is kept, in milliseconds; five minutes by default. */
  readonly historyWindow?: number
}

/** A store for tests, in memory. It can be forked: a suite prepares a state once, and each test continues from there. */
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
   * Returns a copy of all acknowledged data, with history and leases, in about a millisecond for any size. Both stores continue
   * independently. The leases of the copy start again with their full duration. Watches stay with the original.
   */
  fork(options: MemoryStoreOptions = {}): MemoryStore {
    return new MemoryStore({ ...this.#options, ...options }, new MemoryMedium(this.#medium))
  }
}
