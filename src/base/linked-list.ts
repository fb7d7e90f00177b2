/** Where something stands in a list; by this it leaves. */
export interface Link<T> {
  readonly value: T
  before: Link<T> | undefined
  after: Link<T> | undefined
}

/**
 * Things in the order in which they came, for what comes and goes with every request. A `Set` or `Map` is the wrong place for it: each
 * time V8 makes it a new table, the old one goes on pointing at the new one and at all that stood in it. Once a single table has become
 * old, everything that ever passes survives until the old generation is collected (docs/decisions/014). Who leaves here points at nothing.
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

  /** Nothing happens if it has left before. */
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

  /** Those who are in it now: any of them may leave meanwhile. */
  values(): T[] {
    const values: T[] = []
    for (let link = this.#first; link; link = link.after) values.push(link.value)
    return values
  }
}
