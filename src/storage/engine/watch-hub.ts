import type { Clock } from '../../base/clock.js'
import type { StorageError } from '../errors.js'
import type { WatchBatch, WatchQuery } from '../store.js'
import type { LoggedChange, Medium } from './medium.js'
import { RecentChanges } from './recent-changes.js'
import { LocalWatch, type WatchSource } from './watch.js'

/** All watches of a store. They share the recent changes; none has a queue of its own. */
export class WatchHub implements WatchSource {
  readonly recent: RecentChanges
  readonly medium: Medium
  readonly clock: Clock
  batches = new Map<string, WatchBatch>()
  revision: number
  readonly #waiting = new Set<LocalWatch>()
  readonly #open = new Set<LocalWatch>()
  /** The error with which every watch ends from now on. */
  #closed: StorageError | undefined

  constructor(medium: Medium, clock: Clock) {
    this.medium = medium
    this.clock = clock
    this.revision = medium.counters.revision
    this.recent = new RecentChanges(this.revision)
  }

  watch(query: WatchQuery): AsyncIterable<WatchBatch> {
    return new LocalWatch(this, query)
  }

  open(watch: LocalWatch): void {
    if (this.#closed) watch.end(this.#closed)
    else this.#open.add(watch)
  }

  /** Adds the changes of a commit, and wakes the watches that they concern. */
  publish(changes: readonly LoggedChange[]): void {
    if (changes.length === 0) return
    if (this.batches.size > 0) this.batches = new Map() // a cleared map would keep its content alive (docs/decisions/014)
    this.recent.add(changes)
    this.revision = changes.at(-1)!.modRevision
    for (const watch of this.#waiting) if (watch.notice(changes)) this.#waiting.delete(watch)
  }

  wait(watch: LocalWatch): void {
    this.#waiting.add(watch)
  }

  forget(watch: LocalWatch): void {
    this.#waiting.delete(watch)
    this.#open.delete(watch)
  }

  close(error: StorageError): void {
    this.#closed = error
    for (const watch of this.#open) watch.end(error)
  }
}
