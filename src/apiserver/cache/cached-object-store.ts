import type { Environment } from '../../base/environment.js'
import { ClosedError, LeaseNotFoundError, type StorageError } from '../../storage/errors.js'
import type { Change, Entry, Store, TransactionResult, WatchBatch, WatchEvent } from '../../storage/store.js'
import { CachedCollection, type CollectionHome } from './cached-collection.js'
import { Feed, type Snapshot } from './feed.js'
import { deepFreeze, encoded, Kept } from './kept.js'
import type { KeptObject } from './kept-object.js'
import { directoriesOf } from './key-prefix.js'
import type { ObjectChange, ObjectCollection, ObjectStore } from './object-store.js'
import type { ChangeEvent } from './recent-events.js'
import { withoutVersion } from './resource-version.js'
import { RevisionQuestion } from './revision-question.js'
import { RevisionWaiters } from './revision-waiters.js'
import { SharedLeases } from './shared-leases.js'
import { SortedObjects } from './sorted-objects.js'
import { type Draft, WriteDrafts } from './write-drafts.js'

export interface ObjectStoreOptions {
  /** Nobody else writes to the store, so that what is acknowledged here is all there is to know. It is so unless told. */
  readonly soleWriter?: boolean
  /** Objects throw when somebody tries to change them; for tests. */
  readonly freeze?: boolean
}

/** Where everything lies that the server keeps. */
const rootPrefix = '/registry/'

/** Reads everything that is stored, and follows the store from there. The store stays the caller's to close. */
export async function openObjectStore(
  store: Store,
  environment: Environment,
  options: ObjectStoreOptions = {},
): Promise<ObjectStore> {
  const objects = new CachedObjectStore(store, environment, options)
  await objects.open()
  return objects
}

class CachedObjectStore implements ObjectStore, CollectionHome {
  readonly store: Store
  readonly clock
  objects = new SortedObjects()
  revision = 0
  readonly #options: ObjectStoreOptions
  readonly #collections = new Map<string, CachedCollection>()
  readonly #feed: Feed
  readonly #waiters = new RevisionWaiters()
  readonly #drafts = new WriteDrafts()
  readonly #leases: SharedLeases
  readonly #question: RevisionQuestion
  /** The newest revision that was acknowledged to anyone here. */
  #acknowledged = 0
  /** Why there is no going on. */
  #failed: StorageError | undefined

  constructor(store: Store, environment: Environment, options: ObjectStoreOptions) {
    this.store = store
    this.clock = environment.clock
    this.#options = options
    this.#leases = new SharedLeases(store, environment.clock)
    this.#question = new RevisionQuestion(store, rootPrefix)
    this.#feed = new Feed({
      store,
      environment,
      prefix: rootPrefix,
      soleWriter: options.soleWriter ?? true,
      replace: (snapshot) => this.#replace(snapshot),
      publish: (batch) => this.#publish(batch),
      fail: (error) => this.#fail(error),
    })
  }

  open(): Promise<void> {
    return this.#feed.open()
  }

  current(): Promise<void> | undefined {
    if (this.#failed) return Promise.reject(this.#failed)
    if (!(this.#options.soleWriter ?? true)) return this.#question.ask().then((revision) => this.#reached(revision))
    return this.revision >= this.#acknowledged ? undefined : this.#reached(this.#acknowledged)
  }

  reached(revision: number, signal: AbortSignal): Promise<void> {
    return this.#reached(revision, signal)
  }

  async #reached(revision: number, signal?: AbortSignal): Promise<void> {
    this.checkOpen()
    if (this.revision < revision) await this.#waiters.wait(revision, signal)
  }

  collection(prefix: string): ObjectCollection {
    let collection = this.#collections.get(prefix)
    if (!collection) {
      collection = new CachedCollection(prefix, this)
      this.#collections.set(prefix, collection)
    }
    return collection
  }

  readonly keep = (entry: Entry): Kept => {
    const { key, value, modRevision } = entry
    const kept = this.objects.get(key)
    if (kept?.revision === modRevision) return kept
    return new Kept(key, modRevision, { json: value, freeze: this.#freeze })
  }

  get #freeze(): boolean {
    return this.#options.freeze ?? false
  }

  checkOpen(): void {
    if (this.#failed) throw this.#failed
  }

  async write(changes: readonly ObjectChange[]): Promise<readonly KeptObject[] | undefined> {
    this.checkOpen()
    const deleted = await this.#toBeDeleted(changes)
    if (!deleted) return undefined
    const drafts = new Map<string, Draft>()
    for (const { key, object } of changes) if (object) drafts.set(key, this.#draft(key, object))
    for (const draft of drafts.values()) this.#drafts.add(draft)
    try {
      const { succeeded, revision } = await this.#transact(changes, drafts)
      if (!succeeded) return undefined
      this.#acknowledged = Math.max(this.#acknowledged, revision)
      if (this.revision < revision) await this.#reached(revision)
      return changes.map(({ key }) => this.#written(drafts.get(key), revision) ?? deleted.get(key)!.at(revision))
    } finally {
      for (const draft of drafts.values()) this.#drafts.remove(draft)
    }
  }

  /** What the changes would delete, as it is now; undefined if it is not what they expect. */
  async #toBeDeleted(changes: readonly ObjectChange[]): Promise<ReadonlyMap<string, Kept> | undefined> {
    const found = new Map<string, Kept>()
    for (const { key, object, expected } of changes) {
      if (object) continue
      if (this.objects.get(key)?.revision !== expected) await this.current()
      const kept = this.objects.get(key)
      if (kept?.revision !== expected) return undefined
      found.set(key, kept)
    }
    return found
  }

  #draft(key: string, given: NonNullable<ObjectChange['object']>): Draft {
    const object = withoutVersion(given)
    if (this.#freeze) deepFreeze(object)
    return { key, object, json: encoded(object) }
  }

  /** The object that the cache took, so that there is one copy; it may have been reloaded meanwhile and know nothing of it. */
  #written(draft: Draft | undefined, revision: number): KeptObject | undefined {
    if (!draft) return undefined
    const { key, json, object, kept } = draft
    return kept?.revision === revision ? kept : new Kept(key, revision, { json, object, freeze: this.#freeze })
  }

  async #transact(changes: readonly ObjectChange[], drafts: ReadonlyMap<string, Draft>): Promise<TransactionResult> {
    const compare = changes.map(({ key, expected }) => ({ key, modRevision: expected }))
    const attempt = async () => this.store.transact({ compare, changes: await this.#storeChanges(changes, drafts) })
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LeaseNotFoundError)) throw error
      this.#leases.forget()
      return attempt()
    }
  }

  async #storeChanges(changes: readonly ObjectChange[], drafts: ReadonlyMap<string, Draft>): Promise<Change[]> {
    const result: Change[] = []
    for (const { key, seconds } of changes) {
      const value = drafts.get(key)?.json
      if (!value) result.push({ type: 'delete', key })
      else if (seconds === undefined) result.push({ type: 'put', key, value })
      else result.push({ type: 'put', key, value, lease: await this.#leases.lease(seconds) })
    }
    return result
  }

  #publish({ events, revision }: WatchBatch): void {
    const concerned = new Set<CachedCollection>()
    for (const event of events) {
      const change = this.#apply(event)
      if (change) this.#hand(change, concerned)
    }
    this.revision = revision
    for (const collection of concerned) collection.deliver()
    this.#waiters.reached(revision)
  }

  #apply(event: WatchEvent): ChangeEvent | undefined {
    if (event.type === 'delete') {
      const previous = this.objects.delete(event.key)
      return previous && { type: 'delete', object: previous.at(event.revision) }
    }
    const object = this.#drafts.take(event.entry, this.#freeze) ?? this.keep(event.entry)
    return { type: 'put', object, previous: this.objects.set(object) }
  }

  #hand(change: ChangeEvent, concerned: Set<CachedCollection>): void {
    for (const directory of directoriesOf(change.object.key, rootPrefix.length)) {
      const collection = this.#collections.get(directory)
      if (!collection) continue
      collection.add(change)
      concerned.add(collection)
    }
  }

  /** All there is, as it was read. What of it is known already is left as it is, parsed and encoded. */
  #replace({ entries, revision }: Snapshot): void {
    const objects = new SortedObjects()
    for (const entry of entries) objects.set(this.keep(entry))
    this.objects = objects
    this.revision = revision
    for (const collection of this.#collections.values()) collection.reset()
    this.#waiters.reached(revision)
  }

  #fail(error: StorageError): void {
    if (this.#failed) return
    this.#failed = error
    for (const collection of this.#collections.values()) collection.endWatches()
    this.#waiters.fail(error)
  }

  async close(): Promise<void> {
    this.#fail(new ClosedError())
    await this.#feed.close()
  }
}
