/** The position of an item in a list, by which it is removed. */
export interface Link<T> {
  readonly value: T
  before: Link<T> | undefined
  after: Link<T> | undefined
}

/**
 * Items in the order in which they were added, for items that come and go with every request. A `Set` or `Map` does not fit: each time V8
 * gives it a new table, the old table still refers to the new one and to all of its items. Once one table is in the old generation,
 * everything that is ever added survives until that is collected (docs/decisions/014). A removed link refers to nothing.
 */
export class LinkedList<T> {
  #first: Link<T> | undefined
  #last: Link<T> | undefined

  get first(): T | undefined {
    return this.#first?.value
  }

  add(value: T): Link<T> {
    const link: Link<T> = { value, before: this.#last, after: undefined }
    if (this.#last) this.#last.after = link
    else this.#first = link
    this.#last = link
    return link
  }

  /** Does nothing if the item was removed before. */
  remove(link: Link<T>): void {
    const { before, after } = link
    if (!before && this.#first !== link) return
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    link.before = undefined
    link.after = undefined
  }

  find(isIt: (value: T) => boolean): T | undefined {
    for (let link = this.#first; link; link = link.after) if (isIt(link.value)) return link.value
    return undefined
  }

  /** Returns the current items. Any of them may be removed meanwhile. */
  values(): T[] {
    const values: T[] = []
    for (let link = this.#first; link; link = link.after) values.push(link.value)
    return values
  }
}
