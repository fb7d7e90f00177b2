import type { KubeObject } from '../../api/kube-object.js'
import type { Clock } from '../../base/clock.js'
import { LeaseNotFoundError } from '../../storage/errors.js'
import type { Comparison, Store, StoreChange, TransactionResult } from '../../storage/store.js'
import { type CachedObject, type CachedObjectSettings, deepFreeze, LazyCachedObject } from './cached-object.js'
import { JsonBlocks } from './json-blocks.js'
import type { ObjectChange } from './object-store.js'
import { type PendingPut, PendingPuts } from './pending-puts.js'
import { withoutVersion } from './resource-version.js'
import { SharedLeases } from './shared-leases.js'

export interface ObjectWriterDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly settings: CachedObjectSettings
  /** The object in the cache. */
  readonly get: (key: string) => LazyCachedObject | undefined
  /** Resolves when the cache contains every acknowledged write. */
  readonly current: () => Promise<void> | undefined
  /** Called after a write. Resolves when the cache contains it. */
  readonly acknowledged: (revision: number) => Promise<void> | undefined
}

/** One for each change; undefined for a deletion. */
type Puts = readonly (PendingPut | undefined)[]

/** Writes objects, and returns those that the cache then contains. */
export class ObjectWriter {
  /** The puts that the store has not reported yet. The cache adopts their objects. */
  readonly pendingPuts: PendingPuts
  readonly #options: ObjectWriterDependencies
  readonly #leases: SharedLeases
  readonly #blocks = new JsonBlocks()

  constructor(options: ObjectWriterDependencies) {
    this.#options = options
    this.#leases = new SharedLeases(options.store, options.clock)
    this.pendingPuts = new PendingPuts(options.settings)
  }

  async write(changes: readonly ObjectChange[]): Promise<readonly CachedObject[] | undefined> {
    const deleted = changes.every(isPut) ? nothing : await this.#objectsToDelete(changes)
    if (!deleted) return undefined
    const puts = changes.map(({ key, object }) => object && this.#pendingPut(key, object))
    const links = puts.map((put) => put && this.pendingPuts.add(put))
    try {
      const { succeeded, revision } = await this.#transact(changes, puts)
      if (!succeeded) return undefined
      const arriving = this.#options.acknowledged(revision)
      if (arriving) await arriving
      return changes.map(({ key }, i) => this.#written(puts[i], revision) ?? deleted.get(key)!.at(revision))
    } finally {
      for (const link of links) if (link) this.pendingPuts.remove(link)
    }
  }

  /** The objects that the changes delete; undefined if one is not at its expected revision. */
  async #objectsToDelete(changes: readonly ObjectChange[]): Promise<ReadonlyMap<string, LazyCachedObject> | undefined> {
    const { get, current } = this.#options
    const found = new Map<string, LazyCachedObject>()
    for (const { key, object, expected } of changes) {
      if (object) continue
      if (get(key)?.revision !== expected) await current()
      const cached = get(key)
      if (cached?.revision !== expected) return undefined
      found.set(key, cached)
    }
    return found
  }

  #pendingPut(key: string, given: KubeObject): PendingPut {
    const object = withoutVersion(given)
    if (this.#options.settings.freeze) deepFreeze(object)
    return { key, object, json: this.#blocks.encode(object) }
  }

  /** The object that the cache adopted, so that there is one copy. A reloaded cache may not have adopted it. */
  #written(put: PendingPut | undefined, revision: number): CachedObject | undefined {
    if (!put) return undefined
    const { key, json, object, cached } = put
    return cached?.revision === revision
      ? cached
      : new LazyCachedObject(key, revision, { json, object, settings: this.#options.settings })
  }

  #transact(changes: readonly ObjectChange[], puts: Puts): Promise<TransactionResult> {
    if (changes.some(({ ttlSeconds }) => ttlSeconds !== undefined)) return this.#transactLeased(changes, puts)
    const storeChanges = changes.map(({ key }, i) => storeChange(key, puts[i]))
    return this.#options.store.transact({ compare: comparisons(changes), changes: storeChanges })
  }

  async #transactLeased(changes: readonly ObjectChange[], puts: Puts): Promise<TransactionResult> {
    const { store } = this.#options
    const compare = comparisons(changes)
    const attempt = async () => store.transact({ compare, changes: await this.#leasedChanges(changes, puts) })
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LeaseNotFoundError)) throw error
      this.#leases.forget()
      return attempt()
    }
  }

  async #leasedChanges(changes: readonly ObjectChange[], puts: Puts): Promise<StoreChange[]> {
    const result: StoreChange[] = []
    for (const [i, { key, ttlSeconds }] of changes.entries()) {
      const change = storeChange(key, puts[i])
      const isLeased = change.type === 'put' && ttlSeconds !== undefined
      result.push(isLeased ? { ...change, lease: await this.#leases.lease(ttlSeconds) } : change)
    }
    return result
  }
}

const nothing: ReadonlyMap<string, LazyCachedObject> = new Map()

function isPut({ object }: ObjectChange): boolean {
  return object !== undefined
}

function comparisons(changes: readonly ObjectChange[]): Comparison[] {
  return changes.map(({ key, expected }) => ({ key, modRevision: expected }))
}

function storeChange(key: string, put: PendingPut | undefined): StoreChange {
  return put ? { type: 'put', key, value: put.json } : { type: 'delete', key }
}
