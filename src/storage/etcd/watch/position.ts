import type { StoreEvent, WatchBatch } from '../../store.js'
import type { EtcdWatchResponse } from '../messages/watch.js'

/**
 * The position of a watch. Turns the messages of members into what the contract promises: complete revisions, each once and in order, with
 * broken streams and repeated messages.
 */
export class WatchPosition {
  /** The first revision that is not reported yet. */
  #next: number
  #reported = 0
  /** The first changes of a revision whose other changes have not arrived yet. */
  #held: StoreEvent[] = []

  constructor(next: number) {
    this.#next = next
  }

  get next(): number {
    return this.#next
  }

  /** Returns the revision at which a new stream starts: it sends the held changes again. */
  restart(): number {
    this.#held = []
    return this.#next
  }

  /** Returns what to report after this response. */
  accept({ events, fragment, revision }: EtcdWatchResponse): WatchBatch | undefined {
    if (events.length === 0) return this.reach(revision)
    const fresh = this.#fresh(events)
    const whole = fragment ? this.#holdLast(fresh) : fresh
    const last = whole.at(-1)
    return last && this.#report(eventRevision(last), whole)
  }

  /** All changes up to this revision are reported. */
  reach(revision: number): WatchBatch | undefined {
    if (this.#held.length > 0 || revision < this.#reported) return undefined
    return this.#report(revision, [])
  }

  /** Adds the held changes, and drops those that were reported. Usually returns `events` itself. */
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
