import type { StoreEvent, WatchBatch } from '../../store.js'
import type { EtcdWatchResponse } from '../messages/watch.js'

/**
 * How far a watch has come. Makes of what members send what the contract promises: whole revisions, each once and in order,
 * whatever breaks between two streams, and whatever a member sends twice.
 */
export class WatchPosition {
  /** The first revision that was not reported yet. */
  #next: number
  #reported = 0
  /** The beginning of a revision whose other changes are still to come. */
  #held: StoreEvent[] = []

  constructor(next: number) {
    this.#next = next
  }

  get next(): number {
    return this.#next
  }

  /** A new stream begins at the revision returned, and so sends again what was held. */
  restart(): number {
    this.#held = []
    return this.#next
  }

  /** What there is to report after this answer of a member. */
  accept({ events, fragment, revision }: EtcdWatchResponse): WatchBatch | undefined {
    if (events.length === 0) return this.reach(revision)
    const fresh = this.#fresh(events)
    const whole = fragment ? this.#holdLast(fresh) : fresh
    const last = whole.at(-1)
    return last && this.#report(eventRevision(last), whole)
  }

  /** It is known that up to this revision there is nothing to report that was not reported. */
  reach(revision: number): WatchBatch | undefined {
    if (this.#held.length > 0 || revision < this.#reported) return undefined
    return this.#report(revision, [])
  }

  /** With what was held, and without what was reported before. Mostly that is just what came. */
  #fresh(events: StoreEvent[]): StoreEvent[] {
    const held = this.#held
    this.#held = []
    const all = held.length === 0 ? events : [...held, ...events]
    return eventRevision(all[0]!) >= this.#next ? all : all.filter((event) => eventRevision(event) >= this.#next)
  }

  #holdLast(events: StoreEvent[]): StoreEvent[] {
    const last = events.at(-1)
    if (!last) return events
    const from = events.findIndex((event) => eventRevision(event) === eventRevision(last))
    this.#held = events.slice(from)
    return events.slice(0, from)
  }

  #report(revision: number, events: readonly StoreEvent[]): WatchBatch {
    this.#reported = revision
    if (revision >= this.#next) this.#next = revision + 1
    return { revision, events }
  }
}

export function eventRevision(event: StoreEvent): number {
  return event.type === 'put' ? event.entry.modRevision : event.revision
}
