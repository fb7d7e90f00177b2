import { Heap, type HeapItem } from './heap.js'

/** The pending timers of a clock, by due time, then by creation. */
export class TimerQueue {
  readonly #entries = new Heap<Entry>((one, other) =>
    one.due === other.due ? one.number < other.number : one.due < other.due,
  )
  #created = 0

  get size(): number {
    return this.#entries.size
  }

  /** When the first timer is due; infinity if there is none. */
  get next(): number {
    return this.#entries.peek()?.due ?? Number.POSITIVE_INFINITY
  }

  add(due: number, run: () => void): { cancel(): void } {
    if (Number.isNaN(due)) throw new RangeError('a timer needs a delay that is a number')
    const entry: Entry = { due, number: this.#created++, run, heapIndex: -1 }
    this.#entries.push(entry)
    return { cancel: () => this.#entries.remove(entry) }
  }

  /** Removes the first timer that is due by `time`, and returns its callback. */
  take(time: number): (() => void) | undefined {
    if (this.next > time) return undefined
    return this.#entries.pop()?.run
  }
}

interface Entry extends HeapItem {
  readonly due: number
  readonly number: number
  readonly run: () => void
}
