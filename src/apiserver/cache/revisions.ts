import { whenAborted } from '../../base/abort.js'
import { LinkedList } from '../../base/linked-list.js'
import type { Store } from '../../storage/store.js'

/**
 * Reads the revision of a store with several writers. Calls during a read share the next read: the revision must be read after the call.
 */
export class StoreRevision {
  readonly #store: Store
  /** A key that does not exist is the cheapest to read. */
  readonly #key: string
  #running: Promise<unknown> = Promise.resolve()
  #next: Promise<number> | undefined

  constructor(store: Store, key: string) {
    this.#store = store
    this.#key = key
  }

  read(): Promise<number> {
    this.#next ??= this.#running.then(() => {
      const revision = this.#store.get(this.#key).then((result) => result.revision)
      this.#next = undefined
      this.#running = revision.catch(() => {}) // the callers see the error
      return revision
    })
    return this.#next
  }
}

interface Waiter {
  readonly revision: number
  resolve(): void
  reject(error: unknown): void
}

/** The requests that wait until the cache has reached a revision. */
export class CacheRevisionWaiters {
  readonly #waiters = new LinkedList<Waiter>()

  wait(revision: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const waiter: Waiter = { revision, resolve: () => leave(resolve), reject: (error) => leave(() => reject(error)) }
      const leave = (settle: () => void) => {
        stopListening()
        this.#waiters.remove(link)
        settle()
      }
      const stopListening = whenAborted(signal, () => waiter.reject(signal?.reason))
      const link = this.#waiters.add(waiter)
    })
  }

  reached(revision: number): void {
    if (!this.#waiters.first) return
    for (const waiter of this.#waiters.values()) if (waiter.revision <= revision) waiter.resolve()
  }

  fail(error: unknown): void {
    for (const waiter of this.#waiters.values()) waiter.reject(error)
  }
}
