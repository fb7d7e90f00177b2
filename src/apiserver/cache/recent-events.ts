import type { ChangeEvent } from './object-store.js'

/** What the recent events of one collection may hold. Whoever is further behind reads the store's history. */
const defaultMaximumEvents = 4_000
const maximumBytes = 8 * 1024 * 1024
/** What an event weighs besides the JSON of its object; what that replaced is mostly the object of an earlier event. */
const eventWeight = 300

/** The latest events of a collection, in order, shared by everyone who watches it. */
export class RecentEvents {
  /** Slots before `#start` are empty; they are cut off now and then. */
  #slots: (ChangeEvent | undefined)[] = []
  #start = 0
  #bytes = 0
  #complete: number
  readonly #maximumEvents: number

  constructor(revision: number, maximumEvents = defaultMaximumEvents) {
    this.#complete = revision
    this.#maximumEvents = maximumEvents
  }

  /** Everything that happened after this revision is here. */
  get completeSince(): number {
    return this.#complete
  }

  add(event: ChangeEvent): void {
    this.#slots.push(event)
    this.#bytes += weight(event)
    while (this.#slots.length - this.#start > this.#maximumEvents || this.#bytes > maximumBytes) this.#dropOldest()
    if (this.#start >= 1024 && this.#start * 2 > this.#slots.length) {
      this.#slots = this.#slots.slice(this.#start)
      this.#start = 0
    }
  }

  /** Those after `revision` that are to be told; it must not be before `complete`. */
  since(revision: number, isWanted: (event: ChangeEvent) => boolean): ChangeEvent[] {
    const events: ChangeEvent[] = []
    for (let place = this.#placeAfter(revision); place < this.#slots.length; place++) {
      const event = this.#slots[place]!
      if (isWanted(event)) events.push(event)
    }
    return events
  }

  /** Whether there is one after `revision` that is to be told; it must not be before `complete`. */
  has(revision: number, isWanted: (event: ChangeEvent) => boolean): boolean {
    for (let place = this.#slots.length - 1; place >= this.#start; place--) {
      const event = this.#slots[place]!
      if (event.object.revision <= revision) return false
      if (isWanted(event)) return true
    }
    return false
  }

  /** Forgets everything up to `revision`, which is all there is. */
  reset(revision: number): void {
    this.#slots = []
    this.#start = 0
    this.#bytes = 0
    this.#complete = revision
  }

  #dropOldest(): void {
    const oldest = this.#slots[this.#start]!
    this.#slots[this.#start++] = undefined
    this.#bytes -= weight(oldest)
    this.#complete = oldest.object.revision
  }

  #placeAfter(revision: number): number {
    let low = this.#start
    let high = this.#slots.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#slots[middle]!.object.revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }
}

function weight({ object }: ChangeEvent): number {
  return eventWeight + object.weight
}
