import type { LoggedChange } from './medium.js'

/** Upper bounds of the recent changes in memory, for all watches together. A watch that is further behind reads history. */
const maximumBytes = 8 * 1024 * 1024
const maximumChanges = 10_000
/** The size of a change besides its value. */
const changeWeight = 200

/** The latest changes, revision by revision without a gap, shared by all watches. */
export class RecentChanges {
  /** Slots before `#start` are empty. They are removed from time to time. */
  #slots: (readonly LoggedChange[] | undefined)[] = []
  #start = 0
  /** The revision of the slot at `#start`. */
  #first: number
  #bytes = 0
  #count = 0

  /** Starts empty, after the given revision. */
  constructor(revision: number) {
    this.#first = revision + 1
  }

  /** The oldest revision in memory; the next revision if there is none. */
  get first(): number {
    return this.#first
  }

  at(revision: number): readonly LoggedChange[] {
    return this.#slots[this.#start + revision - this.#first]!
  }

  /** Adds the changes of the next revisions. */
  add(changes: readonly LoggedChange[]): void {
    for (let from = 0; from < changes.length; ) {
      let to = from + 1
      while (!changes[to - 1]!.last) to++
      this.#slots.push(changes.length === to - from ? changes : changes.slice(from, to))
      from = to
    }
    for (const change of changes) this.#bytes += weight(change)
    this.#count += changes.length
    while (this.#bytes > maximumBytes || this.#count > maximumChanges) this.#dropOldest()
    this.#cut()
  }

  #dropOldest(): void {
    const oldest = this.#slots[this.#start]!
    this.#slots[this.#start++] = undefined
    this.#first++
    this.#count -= oldest.length
    for (const change of oldest) this.#bytes -= weight(change)
  }

  #cut(): void {
    if (this.#start < 1024 || this.#start * 2 < this.#slots.length) return
    this.#slots = this.#slots.slice(this.#start)
    this.#start = 0
  }
}

function weight({ key, entry }: LoggedChange): number {
  return changeWeight + key.length * 2 + (entry ? entry.value.length : 0)
}
