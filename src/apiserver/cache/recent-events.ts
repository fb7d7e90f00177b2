import type { ChangeEvent } from './object-store.js'

/** Limits of the recent events of one collection. Watchers that are further behind read the history of the store. */
const defaultMaximumEvents = 4_000
const maximumBytes = 8 * 1024 * 1024
/** Bytes of an event beside the JSON of its object. The replaced object is usually shared with an earlier event. */
const eventWeight = 300

/** The latest events of a collection, in order, shared by all its watchers. */
export class RecentEvents {
  /** Slots before `#start` are empty. They are removed in bulk. */
  #slots: (ChangeEvent | undefined)[] = []
  #start = 0
  #bytes = 0
  #complete: number
  readonly #maximumEvents: number

  constructor(revision: number, maximumEvents = defaultMaximumEvents) {
    this.#complete = revision
    this.#maximumEvents = maximumEvents
  }

  /** All events after this revision are here. */
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

  /** The wanted events after `revision`, which must not be before `completeSince`. */
  since(revision: number, isWanted: (event: ChangeEvent) => boolean): ChangeEvent[] {
    const events: ChangeEvent[] = []
    for (let index = this.#indexAfter(revision); index < this.#slots.length; index++) {
      const event = this.#slots[index]!
      if (isWanted(event)) events.push(event)
    }
    return events
  }

  /** Whether there is a wanted event after `revision`, which must not be before `completeSince`. */
  has(revision: number, isWanted: (event: ChangeEvent) => boolean): boolean {
    for (let index = this.#slots.length - 1; index >= this.#start; index--) {
      const event = this.#slots[index]!
      if (event.object.revision <= revision) return false
      if (isWanted(event)) return true
    }
    return false
  }

  /** Removes all events. `revision` is the newest one. */
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

  #indexAfter(revision: number): number {
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
