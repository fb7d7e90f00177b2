import type { Environment } from '../../base/environment.js'
import { ClosedError, type StorageError } from '../../storage/errors.js'
import type { Store, StoreEntry, StoreEvent, WatchBatch } from '../../storage/store.js'
import { CachedCollection, type CollectionDependencies } from './cached-collection.js'
import {
  type CachedObject,
  type CachedObjectSettings,
  cachedObjectSettings,
  LazyCachedObject,
} from './cached-object.js'
import { directoryLength } from './key-prefix.js'
import type { ChangeEvent, ObjectChange, ObjectCollection, ObjectStore } from './object-store.js'
import { ObjectWriter } from './object-writer.js'
import { ProgressTimers } from './progress-timers.js'
import { CacheRevisionWaiters, StoreRevision } from './revisions.js'
import { SortedObjects } from './sorted-objects.js'
import { StoreReflector, type StoreSnapshot } from './store-reflector.js'

export interface ObjectStoreOptions {
  /** Whether this process is the only one that writes to the store. Then no read needs to query the store. True by default. */
  readonly soleWriter?: boolean
  /** Whether objects are deeply frozen, so that an attempt to modify one throws. For tests. */
  readonly freeze?: boolean
  /** Upper bound of events that each collection keeps in memory for its watchers. By default some thousands. */
  readonly recentEvents?: number
}

/** The prefix of all keys of the API server. */
const rootPrefix = '/registry/'

/** Loads the whole store into memory and follows it from there. The caller remains responsible for closing the store. */
export async function openObjectStore(
  store: Store,
  environment: Environment,
  options: ObjectStoreOptions = {},
): Promise<ObjectStore> {
  const objects = new CachedObjectStore(store, environment, options)
  await objects.open()
  return objects
}

class CachedObjectStore implements ObjectStore, CollectionDependencies {
  readonly store: Store
  readonly progressTimers: ProgressTimers
  readonly recentEvents: number | undefined
  objects = new SortedObjects()
  revision = 0
  readonly #soleWriter: boolean
  readonly #settings: CachedObjectSettings
  readonly #collections = new Map<string, CachedCollection>()
  readonly #reflector: StoreReflector
  readonly #waiters = new CacheRevisionWaiters()
  readonly #writer: ObjectWriter
  readonly #storeRevision: StoreRevision
  /** The newest revision of a write that this process acknowledged. */
  #acknowledged = 0
  /** Set once the store is closed or has failed for good. */
  #failed: StorageError | undefined

  constructor(store: Store, environment: Environment, options: ObjectStoreOptions) {
    const { soleWriter = true, freeze = false, recentEvents } = options
    const { clock } = environment
    this.store = store
    this.progressTimers = new ProgressTimers(clock)
    this.recentEvents = recentEvents
    this.#soleWriter = soleWriter
    this.#settings = cachedObjectSettings({ freeze })
    this.#storeRevision = new StoreRevision(store, rootPrefix)
    this.#writer = new ObjectWriter({
      store,
      clock,
      settings: this.#settings,
      get: (key) => this.objects.get(key),
      current: () => this.waitUntilCurrent(),
      acknowledged: (revision) => this.#acknowledge(revision),
    })
    this.#reflector = new StoreReflector({
      store,
      environment,
      prefix: rootPrefix,
      soleWriter,
      replace: (snapshot) => this.#replace(snapshot),
      publish: (batch) => this.#publish(batch),
      fail: (error) => this.#fail(error),
    })
  }

  open(): Promise<void> {
    return this.#reflector.open()
  }

  waitUntilCurrent(): Promise<void> | undefined {
    if (this.#failed) return Promise.reject(this.#failed)
    if (!this.#soleWriter) return this.#storeRevision.read().then((revision) => this.#reached(revision))
    return this.#reached(this.#acknowledged)
  }

  async waitForRevision(revision: number, signal: AbortSignal): Promise<void> {
    this.checkOpen()
    await this.#reached(revision, signal)
  }

  #reached(revision: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.revision >= revision) return undefined
    return this.#failed ? Promise.reject(this.#failed) : this.#waiters.wait(revision, signal)
  }

  #acknowledge(revision: number): Promise<void> | undefined {
    this.#acknowledged = Math.max(this.#acknowledged, revision)
    return this.#reached(revision)
  }

  collection(prefix: string): ObjectCollection {
    let collection = this.#collections.get(prefix)
    if (!collection) {
      collection = new CachedCollection(prefix, this)
      this.#collections.set(prefix, collection)
    }
    return collection
  }

  readonly toCachedObject = ({ key, value, modRevision }: StoreEntry): LazyCachedObject => {
    const cached = this.objects.get(key)
    if (cached?.revision === modRevision) return cached
    return new LazyCachedObject(key, modRevision, { json: value, settings: this.#settings })
  }

  checkOpen(): void {
    if (this.#failed) throw this.#failed
  }

  write(changes: readonly ObjectChange[]): Promise<readonly CachedObject[] | undefined> {
    return this.#failed ? Promise.reject(this.#failed) : this.#writer.write(changes)
  }

  #publish({ events, revision }: WatchBatch): void {
    const affected = new Set<CachedCollection>()
    for (const event of events) {
      const change = this.#apply(event)
      if (change) this.#dispatch(change, affected)
    }
    this.revision = revision
    for (const collection of affected) collection.deliver()
    this.#waiters.reached(revision)
  }

  #apply(event: StoreEvent): ChangeEvent | undefined {
    if (event.type === 'delete') {
      const previous = this.objects.delete(event.key)
      return previous && { type: 'delete', object: previous.at(event.revision) }
    }
    const object = this.#writer.pendingPuts.take(event.entry) ?? this.toCachedObject(event.entry)
    return { type: 'put', object, previous: this.objects.set(object) }
  }

  #dispatch(change: ChangeEvent, affected: Set<CachedCollection>): void {
    const { key } = change.object
    for (let length = rootPrefix.length; length > 0; length = directoryLength(key, length + 1)) {
      const collection = this.#collections.get(key.slice(0, length))
      if (!collection) continue
      collection.add(change)
      affected.add(collection)
    }
  }

  /** Replaces all objects. Those of an unchanged revision are kept, with what has been parsed and encoded. */
  #replace({ entries, revision }: StoreSnapshot): void {
    const objects = new SortedObjects()
    for (const entry of entries) objects.set(this.toCachedObject(entry))
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
    await this.#reflector.close()
  }
}
