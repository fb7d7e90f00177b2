import type { Store } from '../../storage/store.js'
import type { CachedObject } from './cached-object.js'
import { CollectionWatcher, type WatcherSource } from './collection-watcher.js'
import { HistoryReader, type ToCachedObject } from './history-reader.js'
import { isBelow, isOneKey, keyRange } from './key-prefix.js'
import type {
  ChangeEvent,
  CollectionEvent,
  CollectionFollower,
  CollectionWatch,
  ListAtQuery,
  ListAtResult,
  ObjectCollection,
} from './object-store.js'
import type { ProgressTimers } from './progress-timers.js'
import { RecentEvents } from './recent-events.js'
import type { SortedObjects } from './sorted-objects.js'
import { type WatchGroup, type WatchGroupMember, WatchGroups } from './watch-groups.js'

/** The store that the collection belongs to. Its members change while the collection lives. */
export interface CollectionDependencies {
  readonly store: Store
  readonly progressTimers: ProgressTimers
  readonly revision: number
  /** The objects of all collections. */
  readonly objects: SortedObjects
  readonly toCachedObject: ToCachedObject
  /** Upper bound of events that each collection keeps in memory. */
  readonly recentEvents: number | undefined
  /** Throws if the store is closed. */
  checkOpen(): void
}

export class CachedCollection implements ObjectCollection, WatcherSource {
  readonly recent: RecentEvents
  readonly #store: CollectionDependencies
  readonly #groups: WatchGroups
  readonly #followers = new Set<CollectionFollower>()

  constructor(prefix: string, store: CollectionDependencies) {
    this.#store = store
    this.recent = new RecentEvents(store.revision, store.recentEvents)
    this.#groups = new WatchGroups(prefix, this.recent)
  }

  get progressTimers(): ProgressTimers {
    return this.#store.progressTimers
  }

  get revision(): number {
    return this.#store.revision
  }

  get(key: string): CachedObject | undefined {
    return this.#store.objects.get(key)
  }

  count(prefix: string, after?: string): number {
    if (isOneKey(prefix)) return this.#listOne(prefix, after).length
    const { start, end } = keyRange(prefix, after)
    return this.#store.objects.countBetween(start, end)
  }

  list(prefix: string, after?: string, limit?: number): readonly CachedObject[] {
    if (isOneKey(prefix)) return this.#listOne(prefix, after)
    const { start, end } = keyRange(prefix, after)
    return this.#store.objects.between(start, end, limit)
  }

  #listOne(key: string, after: string | undefined): readonly CachedObject[] {
    const object = this.get(key)
    return object && (after === undefined || after < key) ? [object] : []
  }

  async listAt(query: ListAtQuery): Promise<ListAtResult> {
    const { store, toCachedObject: keep } = this.#store
    if (this.#isUnchangedSince(query)) return this.#listNow(query)
    if (isOneKey(query.prefix)) return this.#getAt(query)
    const { entries, count } = await store.range(query)
    return { objects: entries.map(keep), remaining: count - entries.length }
  }

  async #getAt({ prefix: key, revision, after }: ListAtQuery): Promise<ListAtResult> {
    const { entry } = await this.#store.store.get(key, { revision })
    const isAfter = after === undefined || after < key
    return { objects: entry && isAfter ? [this.#store.toCachedObject(entry)] : [], remaining: 0 }
  }

  /** True for most pages of a list: they are requested before anything below the prefix changes. */
  #isUnchangedSince({ prefix, revision }: ListAtQuery): boolean {
    if (revision > this.revision || revision < this.recent.completeSince) return false
    return !this.recent.has(revision, ({ object }) => isBelow(object.key, prefix))
  }

  #listNow({ prefix, after, limit }: ListAtQuery): ListAtResult {
    const objects = this.list(prefix, after, limit)
    return { objects, remaining: this.count(prefix, after) - objects.length }
  }

  watch(query: CollectionWatch): AsyncIterable<readonly CollectionEvent[]> {
    return new CollectionWatcher(this, query)
  }

  follow(follower: CollectionFollower): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  history(query: CollectionWatch, position: number): HistoryReader {
    const { store, toCachedObject: keep } = this.#store
    return new HistoryReader(store, query, { position, keep })
  }

  join(watcher: WatchGroupMember, query: CollectionWatch): WatchGroup {
    this.#store.checkOpen()
    const group = this.#groups.group(query)
    group.members.add(watcher)
    return group
  }

  leave(watcher: WatchGroupMember, group: WatchGroup, query: CollectionWatch): void {
    group.members.delete(watcher)
    if (group.members.size === 0) this.#groups.remove(query)
  }

  /** Records an event. Followers see it at once, watchers at the next `deliver`. */
  add(event: ChangeEvent): void {
    this.recent.add(event)
    this.#groups.add(event)
    for (const follower of this.#followers) follower.changed(event)
  }

  deliver(): void {
    this.#groups.deliver()
  }

  /** Called when events may have been missed: ends every watch, because none can continue from its position. */
  reset(): void {
    this.recent.reset(this.revision)
    for (const follower of this.#followers) follower.reset()
    this.endWatches()
  }

  endWatches(): void {
    this.#groups.end()
  }
}
