import type { ChangeEvent } from './object-store.js'
import type { RecentEvents } from './recent-events.js'

export interface GroupMember {
  /** News for all who wait. Whether this one was among those whom they concern, and so waits no more. */
  take(batch: readonly ChangeEvent[]): boolean
  end(): void
}

/** Everyone who watches the same. What one of them is told is made once for all. */
export class WatchGroup {
  readonly members = new Set<GroupMember>()
  /** Those who have been told everything, and wait for more. */
  readonly #waiting = new Set<GroupMember>()
  readonly #recent: RecentEvents
  readonly #isWanted: (event: ChangeEvent) => boolean
  #fresh: ChangeEvent[] = []
  /** What those were told who came to ask since the last event, by how far they had been. */
  readonly #batches = new Map<number, readonly ChangeEvent[]>()

  constructor(recent: RecentEvents, isWanted: (event: ChangeEvent) => boolean) {
    this.#recent = recent
    this.#isWanted = isWanted
  }

  /** Whether it is the first since the last delivery. */
  add(event: ChangeEvent): boolean {
    return this.#fresh.push(event) === 1
  }

  deliver(): void {
    const batch = this.#fresh
    this.#fresh = []
    this.#batches.clear()
    for (const watcher of this.#waiting) if (watcher.take(batch)) this.#waiting.delete(watcher)
  }

  wait(watcher: GroupMember): void {
    this.#waiting.add(watcher)
  }

  stopWaiting(watcher: GroupMember): void {
    this.#waiting.delete(watcher)
  }

  since(revision: number): readonly ChangeEvent[] {
    let batch = this.#batches.get(revision)
    if (!batch) {
      batch = this.#recent.since(revision, this.#isWanted)
      this.#batches.set(revision, batch)
    }
    return batch
  }
}
