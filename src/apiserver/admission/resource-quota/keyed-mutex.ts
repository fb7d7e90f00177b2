/**
 * One after the other, by key. Whoever counts under a quota waits for its turn, because of two writes that count at once one
 * would have to count again; correctness does not depend on it, the store does not let both through.
 */
export class KeyedMutex {
  /** Who waits, by key; a key is here while it is somebody's turn. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when it is the caller's turn. Every turn must be given on. */
  lock(key: string): Promise<void> {
    const waiting = this.#waiting.get(key)
    if (waiting) return new Promise((resolve) => void waiting.push(resolve))
    this.#waiting.set(key, [])
    return Promise.resolve()
  }

  unlock(key: string): void {
    const next = this.#waiting.get(key)?.shift()
    if (next) next()
    else this.#waiting.delete(key)
  }
}
