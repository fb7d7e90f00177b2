/** A map that forgets what was not asked for in the longest time, once it is full. */
export class RecentMap<V> {
  readonly #capacity: number
  /** The longest unused first. */
  readonly #entries = new Map<string, V>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value!)
  }
}
