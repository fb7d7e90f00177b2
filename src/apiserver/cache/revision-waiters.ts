import { whenAborted } from '../../base/abort.js'

interface Waiter {
  readonly revision: number
  resolve(): void
  reject(error: unknown): void
}

/** Those who wait for the cache to come as far as a revision. */
export class RevisionWaiters {
  readonly #waiters = new Set<Waiter>()

  wait(revision: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const waiter: Waiter = { revision, resolve: () => leave(resolve), reject: (error) => leave(() => reject(error)) }
      const leave = (answer: () => void) => {
        stopListening()
        this.#waiters.delete(waiter)
        answer()
      }
      const stopListening = whenAborted(signal, () => waiter.reject(signal?.reason))
      this.#waiters.add(waiter)
    })
  }

  reached(revision: number): void {
    if (this.#waiters.size === 0) return
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.resolve()
  }

  fail(error: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(error)
  }
}
