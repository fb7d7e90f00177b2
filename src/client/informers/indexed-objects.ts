import type { AnyObject } from '../resource-client.js'

/** Objects by key, with further indexes. */
export class IndexedObjects<T extends AnyObject> {
  readonly #objects = new Map<string, T>()
  readonly #indexes = new Map<string, Index<T>>()

  get size(): number {
    return this.#objects.size
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  /** Can be iterated more than once. */
  readonly all: Iterable<T> = { [Symbol.iterator]: () => this.#objects.values() }

  keys(): Iterable<string> {
    return this.#objects.keys()
  }

  /** Returns the previous object. */
  put(key: string, object: T): T | undefined {
    const old = this.#objects.get(key)
    this.#objects.set(key, object)
    for (const index of this.#indexes.values()) index.replace(old, object)
    return old
  }

  remove(key: string): void {
    const old = this.#objects.get(key)
    this.#objects.delete(key)
    for (const index of this.#indexes.values()) index.replace(old, undefined)
  }

  by(index: string, value: string): Iterable<T> {
    const known = this.#indexes.get(index)
    if (!known) throw new Error(`there is no index "${index}"`)
    return known.at(value)
  }

  addIndex(name: string, values: (object: T) => Iterable<string>): void {
    if (this.#indexes.has(name)) return
    const index = new Index(values)
    for (const object of this.all) index.replace(undefined, object)
    this.#indexes.set(name, index)
  }
}

const nothing: readonly never[] = []

/** Objects are immutable, so the index values of an object can be computed again when it is removed. */
class Index<T> {
  readonly #values: (object: T) => Iterable<string>
  /** Contains no empty set, because values come and go, such as the names of nodes. */
  readonly #sets = new Map<string, Set<T>>()

  constructor(values: (object: T) => Iterable<string>) {
    this.#values = values
  }

  at(value: string): Iterable<T> {
    return this.#sets.get(value) ?? nothing
  }

  replace(old: T | undefined, object: T | undefined): void {
    if (old !== undefined) for (const value of this.#values(old)) this.#take(value, old)
    if (object !== undefined) for (const value of this.#values(object)) this.#file(value, object)
  }

  #file(value: string, object: T): void {
    const file = this.#sets.get(value)
    if (file) file.add(object)
    else this.#sets.set(value, new Set([object]))
  }

  #take(value: string, object: T): void {
    const file = this.#sets.get(value)
    if (file?.delete(object) && file.size === 0) this.#sets.delete(value)
  }
}
