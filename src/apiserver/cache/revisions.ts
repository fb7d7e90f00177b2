import { whenAborted } from '../../base/abort.js'
import { LinkedList } from '../../base/linked-list.js'
import type { Store } from '../../storage/store.js'

/**
 * Asks the store how far it is, on behalf of everyone who wants to know. Whoever comes while a question is on its way shares the
 * next one: the answer must be of a moment after they came.
 */
export class StoreRevision {
  readonly #store: Store
  /** A key that does not exist is the cheapest thing to read. */
  readonly #key: string
  #underWay: Promise<unknown> = Promise.resolve()
  #next: Promise<number> | undefined

  constructor(store: Store, key: string) {
    this.#store = store
    this.#key = key
  }

  read(): Promise<number> {
    this.#next ??= this.#underWay.then(() => {
      const answer = this.#store.get(this.#key).then(({ revision }) => revision)
      this.#next = undefined
      this.#underWay = answer.catch(() => {}) // those who asked are told
      return answer
    })
    return this.#next
  }
}

interface Waiter {
  readonly revision: number
  resolve(): void
  reject(error: unknown): void
}

/** Those who wait for the cache to come as far as a revision. */
export class CacheRevisionWaiters {
  readonly #waiters = new LinkedList<Waiter>()

  wait(revision: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const waiter: Waiter = { revision, resolve: () => leave(resolve), reject: (error) => leave(() => reject(error)) }
      const leave = (answer: () => void) => {
        stopListening()
        this.#waiters.remove(link)
        answer()
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
