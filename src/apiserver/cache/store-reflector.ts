import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { CompactedError, StorageError, UnavailableError } from '../../storage/errors.js'
import type { Store, StoreEntry, WatchBatch } from '../../storage/store.js'

/** Everything below the prefix as of one revision. */
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
  /** Nothing will come any more. */
  readonly fail: (error: StorageError) => void
}

const pageSize = 10_000

/** After a failure the store is asked again so many milliseconds later. */
const retryDelay = 100

/** Where others write too, revisions may pass that change nothing here: how long one who waits for such a one waits at most. */
const progressInterval = 100

/** Brings what is in the store, and then every change, exactly once and in order; begins anew where the store has forgotten too much. */
export class StoreReflector {
  readonly #options: StoreReflectorOptions
  readonly #closing = new AbortController()
  /** Everything up to here was brought. */
  #revision = 0
  #running: Promise<void> | undefined

  constructor(options: StoreReflectorOptions) {
    this.#options = options
  }

  /** Resolves once all that is there has been brought. */
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
        if (!isPassing(error)) return this.#options.fail(explained(error))
        mustReload = mustReload || error instanceof CompactedError
        await this.#pause(error)
      }
    }
  }

  async #pause(error: unknown): Promise<void> {
    const { log, clock } = this.#options.environment
    log.warn('the watch on the store is interrupted', { error, revision: this.#revision })
    await sleep(clock, retryDelay, this.#closing.signal).catch(() => {}) // when closing, nobody waits any more
  }

  async #follow(): Promise<void> {
    const { store, prefix, soleWriter, publish } = this.#options
    const { signal } = this.#closing
    const query = { prefix, revision: this.#revision + 1, signal, ...(!soleWriter && { progressInterval }) }
    for await (const batch of store.watch(query)) {
      publish(batch)
      this.#revision = batch.revision
    }
    if (!signal.aborted) throw new UnavailableError('the watch on the store ended')
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

/** Whether it may work again by itself. */
function isPassing(error: unknown): boolean {
  return error instanceof CompactedError || error instanceof UnavailableError
}

function explained(error: unknown): StorageError {
  return error instanceof StorageError
    ? error
    : new UnavailableError('the cache cannot follow the store', { cause: error })
}
