import { Heap, type HeapItem } from '../../base/heap.js'

interface Waiter extends HeapItem {
  readonly revision: number
  readonly number: number
  resolve(): void
  reject(error: unknown): void
}

/** Callers that wait for a revision, in a heap: each step looks only at those that are due. */
export class RevisionWaiters {
  readonly #waiters = new Heap<Waiter>((one, other) =>
    one.revision === other.revision ? one.number < other.number : one.revision < other.revision,
  )
  #count = 0

  wait(revision: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ revision, number: this.#count++, heapIndex: -1, resolve, reject })
    })
  }

  reached(revision: number): void {
    for (let first = this.#waiters.peek(); first && first.revision <= revision; first = this.#waiters.peek()) {
      this.#waiters.remove(first)
      first.resolve()
    }
  }

  fail(error: unknown): void {
    for (let first = this.#waiters.pop(); first; first = this.#waiters.pop()) first.reject(error)
  }
}
