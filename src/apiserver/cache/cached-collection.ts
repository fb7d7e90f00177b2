import type { Clock } from '../../base/clock.js'
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
import { RecentEvents } from './recent-events.js'
import type { SortedObjects } from './sorted-objects.js'
import { type WatchGroup, type WatchGroupMember, WatchGroups } from './watch-groups.js'

/** What a collection is a part of. */
export interface CollectionDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly revision: number
  /** Those of all collections. */
  readonly objects: SortedObjects
  readonly toCachedObject: ToCachedObject
  /** How many events of each collection are kept at hand. */
  readonly recentEvents: number | undefined
  /** Throws if it is closed. */
  checkOpen(): void
}

export class CachedCollection implements ObjectCollection, WatcherSource {
  readonly recent: RecentEvents
  readonly #home: CollectionDependencies
  readonly #groups: WatchGroups
  readonly #followers = new Set<CollectionFollower>()

  constructor(prefix: string, home: CollectionDependencies) {
    this.#home = home
    this.recent = new RecentEvents(home.revision, home.recentEvents)
    this.#groups = new WatchGroups(prefix, this.recent)
  }

  get clock(): Clock {
    return this.#home.clock
  }

  get revision(): number {
    return this.#home.revision
  }

  get(key: string): CachedObject | undefined {
    return this.#home.objects.get(key)
  }

  count(prefix: string, after?: string): number {
    if (isOneKey(prefix)) return this.#listOne(prefix, after).length
    const { start, end } = keyRange(prefix, after)
    return this.#home.objects.countBetween(start, end)
  }

  list(prefix: string, after?: string, limit?: number): readonly CachedObject[] {
    if (isOneKey(prefix)) return this.#listOne(prefix, after)
    const { start, end } = keyRange(prefix, after)
    return this.#home.objects.between(start, end, limit)
  }

  #listOne(key: string, after: string | undefined): readonly CachedObject[] {
    const object = this.get(key)
    return object && (after === undefined || after < key) ? [object] : []
  }

  async listAt(query: ListAtQuery): Promise<ListAtResult> {
    const { store, toCachedObject: keep } = this.#home
    if (this.#isUnchangedSince(query)) return this.#listNow(query)
    if (isOneKey(query.prefix)) return this.#getAt(query)
    const { entries, count } = await store.range(query)
    return { objects: entries.map(keep), remaining: count - entries.length }
  }

  async #getAt({ prefix: key, revision, after }: ListAtQuery): Promise<ListAtResult> {
    const { entry } = await this.#home.store.get(key, { revision })
    const isAfter = after === undefined || after < key
    return { objects: entry && isAfter ? [this.#home.toCachedObject(entry)] : [], remaining: 0 }
  }

  /** Most of the time the pages of a list are asked for before anything happens. */
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
    const { store, toCachedObject: keep } = this.#home
    return new HistoryReader(store, query, { position, keep })
  }

  join(watcher: WatchGroupMember, query: CollectionWatch): WatchGroup {
    this.#home.checkOpen()
    const group = this.#groups.group(query)
    group.members.add(watcher)
    return group
  }

  leave(watcher: WatchGroupMember, group: WatchGroup, query: CollectionWatch): void {
    group.members.delete(watcher)
    if (group.members.size === 0) this.#groups.remove(query)
  }

  /** Takes an event, of which those whom it concerns hear at the next delivery. */
  add(event: ChangeEvent): void {
    this.recent.add(event)
    this.#groups.add(event)
    for (const follower of this.#followers) follower.changed(event)
  }

  deliver(): void {
    this.#groups.deliver()
  }

  /** Something may have been missed: nobody can go on from where they are. */
  reset(): void {
    this.recent.reset(this.revision)
    for (const follower of this.#followers) follower.reset()
    this.endWatches()
  }

  endWatches(): void {
    this.#groups.end()
  }
}
