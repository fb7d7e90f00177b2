import { whenAborted } from '../../base/abort.js'
import { LinkedList } from '../../base/linked-list.js'

interface Waiter {
  readonly revision: number
  resolve(): void
  reject(error: unknown): void
}

/** Those who wait for the cache to come as far as a revision. */
export class RevisionWaiters {
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
