/** What a heap holds. The heap writes `place`, nobody else does: it is how an item is found again in the middle of the heap. */
export interface HeapItem {
  /** Where in the heap the item is; -1 while it is in none. An item is in one heap at most. */
  heapIndex: number
}

/**
 * A binary heap that can also give up items from its middle, so that what is cancelled leaves at once and holds no memory.
 * `before` must order any two different items one way or the other: the heap does not remember who came first.
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

  /** The first item, which stays. */
  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    if (item.heapIndex !== -1) throw new Error('the item is already in a heap')
    this.#items.push(item)
    this.#rise(item, this.#items.length - 1)
  }

  /** Takes the first item out. */
  pop(): T | undefined {
    const first = this.#items[0]
    if (first) this.remove(first)
    return first
  }

  /** Takes `item` out, wherever it is. False if it is in no heap. */
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

  #settle(item: T, place: number): void {
    const parent = (place - 1) >> 1
    if (place > 0 && this.#before(item, this.#items[parent]!)) this.#rise(item, place)
    else this.#sink(item, place)
  }

  #rise(item: T, from: number): void {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#before(item, this.#items[parent]!)) break
      this.#put(this.#items[parent]!, place)
      place = parent
    }
    this.#put(item, place)
  }

  #sink(item: T, from: number): void {
    let place = from
    for (;;) {
      const child = this.#firstChild(place)
      if (child === -1 || !this.#before(this.#items[child]!, item)) break
      this.#put(this.#items[child]!, place)
      place = child
    }
    this.#put(item, place)
  }

  #firstChild(place: number): number {
    const left = 2 * place + 1
    const right = left + 1
    if (left >= this.#items.length) return -1
    if (right >= this.#items.length) return left
    return this.#before(this.#items[right]!, this.#items[left]!) ? right : left
  }

  #put(item: T, place: number): void {
    this.#items[place] = item
    item.heapIndex = place
  }
}
