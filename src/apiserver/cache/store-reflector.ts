import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { CompactedError, StorageError, UnavailableError } from '../../storage/errors.js'
import type { Store, StoreEntry, WatchBatch } from '../../storage/store.js'

/** All entries below the prefix as of one revision. */
export interface StoreSnapshot {
  readonly entries: readonly StoreEntry[]
  readonly revision: number
}

export interface StoreReflectorOptions {
  readonly store: Store
  readonly environment: Environment
  readonly prefix: string
  readonly soleWriter: boolean
  readonly replace: (snapshot: StoreSnapshot) => void
  readonly publish: (batch: WatchBatch) => void
  /** Called when the store has failed for good: no further events follow. */
  readonly fail: (error: StorageError) => void
}

const pageSize = 10_000

/** Milliseconds before the watch is opened again after a failure. */
const retryDelay = 100

/**
 * Milliseconds between progress reports of a store with several writers. A revision may change nothing below the prefix; this bounds how
 * long a reader waits for such a revision.
 */
const progressInterval = 100

/** Loads the store and then reports every change exactly once and in order. Loads it again if the store has compacted its history. */
export class StoreReflector {
  readonly #options: StoreReflectorOptions
  readonly #closing = new AbortController()
  /** All changes up to this revision have been reported. */
  #revision = 0
  #running: Promise<void> | undefined

  constructor(options: StoreReflectorOptions) {
    this.#options = options
  }

  /** Resolves when the store is loaded. */
  async open(): Promise<void> {
    await this.#load()
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    for (let mustReload = false; !signal.aborted; ) {
      try {
        if (mustReload) await this.#load()
        mustReload = false
        await this.#follow()
      } catch (error) {
        if (signal.aborted) return
        if (!isTemporary(error)) return this.#options.fail(toStorageError(error))
        mustReload = mustReload || error instanceof CompactedError
        await this.#pause(error)
      }
    }
  }

  async #pause(error: unknown): Promise<void> {
    const { log, clock } = this.#options.environment
    log.warn('store watch interrupted', { error, revision: this.#revision })
    await sleep(clock, retryDelay, this.#closing.signal).catch(() => {}) // closing: the loop ends
  }

  async #follow(): Promise<void> {
    const { store, prefix, soleWriter, publish } = this.#options
    const { signal } = this.#closing
    const query = { prefix, revision: this.#revision + 1, signal, ...(!soleWriter && { progressInterval }) }
    for await (const batch of store.watch(query)) {
      publish(batch)
      this.#revision = batch.revision
    }
    if (!signal.aborted) throw new UnavailableError('the store ended the watch')
  }

  async #load(): Promise<void> {
    const { store, prefix, replace } = this.#options
    const entries: StoreEntry[] = []
    let page = await store.range({ prefix, limit: pageSize })
    const { revision } = page
    for (;;) {
      for (const entry of page.entries) entries.push(entry)
      if (!page.more) break
      page = await store.range({ prefix, revision, limit: pageSize, after: entries.at(-1)!.key })
    }
    replace({ entries, revision })
    this.#revision = revision
  }
}

/** Whether a later attempt may succeed. */
function isTemporary(error: unknown): boolean {
  return error instanceof CompactedError || error instanceof UnavailableError
}

function toStorageError(error: unknown): StorageError {
  return error instanceof StorageError
    ? error
    : new UnavailableError('the cache cannot follow the store', { cause: error })
}
