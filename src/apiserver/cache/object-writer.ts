import type { KubeObject } from '../../api/kube-object.js'
import type { Clock } from '../../base/clock.js'
import { LeaseNotFoundError } from '../../storage/errors.js'
import type { Comparison, Store, StoreChange, TransactionResult } from '../../storage/store.js'
import { type CachedObject, deepFreeze, LazyCachedObject } from './cached-object.js'
import { JsonBlocks } from './json-blocks.js'
import type { ObjectChange } from './object-store.js'
import { type PendingPut, PendingPuts } from './pending-puts.js'
import { withoutVersion } from './resource-version.js'
import { SharedLeases } from './shared-leases.js'

export interface ObjectWriterDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly freeze: boolean
  /** The object as the cache has it now. */
  readonly get: (key: string) => LazyCachedObject | undefined
  /** Resolves once everything is in that was acknowledged so far. */
  readonly current: () => Promise<void> | undefined
  /** A write is done: resolves once it is in. */
  readonly acknowledged: (revision: number) => Promise<void> | undefined
}

/** One for each change; undefined for those that delete. */
type Drafts = readonly (PendingPut | undefined)[]

/** Writes objects, and gives back those that the cache then has. */
export class ObjectWriter {
  /** What is on its way, for the cache to find. */
  readonly pendingPuts: PendingPuts
  readonly #options: ObjectWriterDependencies
  readonly #leases: SharedLeases
  readonly #blocks = new JsonBlocks()

  constructor(options: ObjectWriterDependencies) {
    this.#options = options
    this.#leases = new SharedLeases(options.store, options.clock)
    this.pendingPuts = new PendingPuts(options.freeze)
  }

  async write(changes: readonly ObjectChange[]): Promise<readonly CachedObject[] | undefined> {
    const deleted = changes.every(isPut) ? nothing : await this.#toBeDeleted(changes)
    if (!deleted) return undefined
    const drafts = changes.map(({ key, object }) => object && this.#draft(key, object))
    const links = drafts.map((draft) => draft && this.pendingPuts.add(draft))
    try {
      const { succeeded, revision } = await this.#transact(changes, drafts)
      if (!succeeded) return undefined
      const arriving = this.#options.acknowledged(revision)
      if (arriving) await arriving
      return changes.map(({ key }, i) => this.#written(drafts[i], revision) ?? deleted.get(key)!.at(revision))
    } finally {
      for (const link of links) if (link) this.pendingPuts.remove(link)
    }
  }

  /** What the changes would delete, as it is now; undefined if it is not what they expect. */
  async #toBeDeleted(changes: readonly ObjectChange[]): Promise<ReadonlyMap<string, LazyCachedObject> | undefined> {
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

  #draft(key: string, given: KubeObject): PendingPut {
    const object = withoutVersion(given)
    if (this.#options.freeze) deepFreeze(object)
    return { key, object, json: this.#blocks.encode(object) }
  }

  /** The object that the cache took, so that there is one copy; it may have been reloaded meanwhile and know nothing of it. */
  #written(draft: PendingPut | undefined, revision: number): CachedObject | undefined {
    if (!draft) return undefined
    const { key, json, object, cached } = draft
    return cached?.revision === revision
      ? cached
      : new LazyCachedObject(key, revision, { json, object, freeze: this.#options.freeze })
  }

  #transact(changes: readonly ObjectChange[], drafts: Drafts): Promise<TransactionResult> {
    if (changes.some(({ ttlSeconds: seconds }) => seconds !== undefined)) return this.#transactLeased(changes, drafts)
    const storeChanges = changes.map(({ key }, i) => storeChange(key, drafts[i]))
    return this.#options.store.transact({ compare: comparisons(changes), changes: storeChanges })
  }

  async #transactLeased(changes: readonly ObjectChange[], drafts: Drafts): Promise<TransactionResult> {
    const { store } = this.#options
    const compare = comparisons(changes)
    const attempt = async () => store.transact({ compare, changes: await this.#leasedChanges(changes, drafts) })
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LeaseNotFoundError)) throw error
      this.#leases.forget()
      return attempt()
    }
  }

  async #leasedChanges(changes: readonly ObjectChange[], drafts: Drafts): Promise<StoreChange[]> {
    const result: StoreChange[] = []
    for (const [i, { key, ttlSeconds: seconds }] of changes.entries()) {
      const change = storeChange(key, drafts[i])
      const isLeased = change.type === 'put' && seconds !== undefined
      result.push(isLeased ? { ...change, lease: await this.#leases.lease(seconds) } : change)
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

function storeChange(key: string, draft: PendingPut | undefined): StoreChange {
  return draft ? { type: 'put', key, value: draft.json } : { type: 'delete', key }
}
