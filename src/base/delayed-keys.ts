import type { Clock, Timer } from './clock.js'
import { Heap, type HeapItem } from './heap.js'

/** Delays keys, then hands each of them on once. It has one timer, set for the earliest key. */
export class DelayedKeys<K> {
  readonly #clock: Clock
  readonly #release: (key: K, priority: number) => void
  /** The same items as in `#waiting`. */
  readonly #byKey = new Map<K, DelayedKey<K>>()
  readonly #waiting = new Heap<DelayedKey<K>>((one, other) =>
    one.due === other.due ? one.number < other.number : one.due < other.due,
  )
  #added = 0
  #timer: (Timer & { readonly due: number }) | undefined

  constructor(clock: Clock, release: (key: K, priority: number) => void) {
    this.#clock = clock
    this.#release = release
  }

  get size(): number {
    return this.#byKey.size
  }

  /** A key that is already delayed keeps the earlier time and the higher priority. */
  add(key: K, delay: number, priority: number): void {
    if (Number.isNaN(delay)) throw new RangeError('a key needs a delay that is a number')
    const due = this.#clock.monotonic() + delay
    const known = this.#byKey.get(key)
    if (known) this.#hasten(known, due, priority)
    else this.#hold({ key, due, priority, number: this.#added++, heapIndex: -1 })
    this.#setTimer()
  }

  /** Drops all keys. */
  clear(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#byKey.clear()
    this.#waiting.clear()
  }

  #hold(item: DelayedKey<K>): void {
    this.#byKey.set(item.key, item)
    this.#waiting.push(item)
  }

  #hasten(item: DelayedKey<K>, due: number, priority: number): void {
    item.priority = Math.max(item.priority, priority)
    if (due >= item.due) return
    this.#waiting.remove(item)
    item.due = due
    this.#waiting.push(item)
  }

  #setTimer(): void {
    const first = this.#waiting.peek()
    if (!first || (this.#timer && this.#timer.due <= first.due)) return
    this.#timer?.cancel()
    const timer = this.#clock.timer(first.due - this.#clock.monotonic(), () => this.#releaseDue())
    this.#timer = { due: first.due, cancel: () => timer.cancel() }
  }

  #releaseDue(): void {
    this.#timer = undefined
    const now = this.#clock.monotonic()
    for (let first = this.#waiting.peek(); first && first.due <= now; first = this.#waiting.peek()) {
      this.#waiting.remove(first)
      this.#byKey.delete(first.key)
      this.#release(first.key, first.priority)
    }
    this.#setTimer()
  }
}

interface DelayedKey<K> extends HeapItem {
  readonly key: K
  readonly number: number
  due: number
  priority: number
}
