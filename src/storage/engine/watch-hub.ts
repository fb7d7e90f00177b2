import type { Clock } from '../../base/clock.js'
import { ClosedError } from '../errors.js'
import type { WatchBatch, WatchQuery } from '../store.js'
import type { Change, Medium } from './medium.js'
import { RecentChanges } from './recent-changes.js'
import { Watch, type WatchSource } from './watch.js'

/** Everyone who watches a store. They share the recent changes; none has a queue of its own. */
export class WatchHub implements WatchSource {
  readonly recent: RecentChanges
  readonly medium: Medium
  readonly clock: Clock
  revision: number
  readonly #waiting = new Set<Watch>()
  readonly #open = new Set<Watch>()
  #closed = false

  constructor(medium: Medium, clock: Clock) {
    this.medium = medium
    this.clock = clock
    this.revision = medium.counters.revision
    this.recent = new RecentChanges(this.revision)
  }

  watch(query: WatchQuery): AsyncIterable<WatchBatch> {
    const watch = new Watch(this, query)
    if (this.#closed) watch.end(new ClosedError())
    if (!watch.ended) this.#open.add(watch)
    return watch
  }

  /** Takes the changes of a commit that is done, and wakes those whom they concern. */
  publish(changes: readonly Change[]): void {
    if (changes.length === 0) return
    this.recent.add(changes)
    this.revision = changes.at(-1)!.modRevision
    for (const watch of this.#waiting) if (watch.notice(changes)) this.#waiting.delete(watch)
  }

  wait(watch: Watch): void {
    this.#waiting.add(watch)
  }

  forget(watch: Watch): void {
    this.#waiting.delete(watch)
    this.#open.delete(watch)
  }

  close(): void {
    this.#closed = true
    for (const watch of this.#open) watch.end(new ClosedError())
  }
}
