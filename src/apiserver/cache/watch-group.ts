import type { ChangeEvent } from './object-store.js'
import type { RecentEvents } from './recent-events.js'

export interface GroupMember {
  /** News for all who have been told everything, and wait for more. */
  take(batch: readonly ChangeEvent[]): void
  end(): void
}

/** Everyone who watches the same. What one of them is told is made once for all. */
export class WatchGroup {
  readonly members = new Set<GroupMember>()
  readonly #recent: RecentEvents
  readonly #isWanted: (event: ChangeEvent) => boolean
  #fresh: ChangeEvent[] = []
  /** What those were told who came to ask since the last event, by how far they had been. */
  #batches = new Map<number, readonly ChangeEvent[]>()

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
    if (this.#batches.size > 0) this.#batches = new Map() // one that is cleared would hold on to what was in it (docs/decisions/014)
    for (const watcher of this.members) watcher.take(batch)
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
