/** An item of a heap. Only the heap writes `heapIndex`: by it the heap finds an item in its middle. */
export interface HeapItem {
  /** The index in the heap; -1 while the item is in none. An item is in at most one heap. */
  heapIndex: number
}

/**
 * A binary heap from which items can be removed in the middle, so that cancelled items leave at once and use no memory. `before` must be a
 * total order: the heap does not keep the order of insertion.
 */
export class Heap<T extends HeapItem> {
  readonly #before: (one: T, other: T) => boolean
  readonly #items: T[] = []

  constructor(before: (one: T, other: T) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  /** Returns the first item, and keeps it. */
  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    if (item.heapIndex !== -1) throw new Error('the item is already in a heap')
    this.#items.push(item)
    this.#rise(item, this.#items.length - 1)
  }

  /** Removes and returns the first item. */
  pop(): T | undefined {
    const first = this.#items[0]
    if (first) this.remove(first)
    return first
  }

  /** Removes `item` from any position. Returns false if it is in no heap. */
  remove(item: T): boolean {
    const { heapIndex } = item
    if (heapIndex === -1) return false
    if (this.#items[heapIndex] !== item) throw new Error('the item is in another heap')
    const last = this.#items.pop()!
    item.heapIndex = -1
    if (last !== item) this.#settle(last, heapIndex)
    return true
  }

  clear(): void {
    for (const item of this.#items) item.heapIndex = -1
    this.#items.length = 0
  }

  #settle(item: T, index: number): void {
    const parent = (index - 1) >> 1
    if (index > 0 && this.#before(item, this.#items[parent]!)) this.#rise(item, index)
    else this.#sink(item, index)
  }

  #rise(item: T, from: number): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#before(item, this.#items[parent]!)) break
      this.#put(this.#items[parent]!, index)
      index = parent
    }
    this.#put(item, index)
  }

  #sink(item: T, from: number): void {
    let index = from
    for (;;) {
      const child = this.#firstChild(index)
      if (child === -1 || !this.#before(this.#items[child]!, item)) break
      this.#put(this.#items[child]!, index)
      index = child
    }
    this.#put(item, index)
  }

  #firstChild(index: number): number {
    const left = 2 * index + 1
    const right = left + 1
    if (left >= this.#items.length) return -1
    if (right >= this.#items.length) return left
    return this.#before(this.#items[right]!, this.#items[left]!) ? right : left
  }

  #put(item: T, index: number): void {
    this.#items[index] = item
    item.heapIndex = index
  }
}
