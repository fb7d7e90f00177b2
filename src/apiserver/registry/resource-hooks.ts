import type { KubeObject } from '../../api/kube-object.js'
import type { Draft } from '../../schema/infer.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectChange } from '../cache/object-store.js'

/** What a resource does differently on a write and needs the store for. Most resources have no hooks. */
export interface ResourceHooks {
  /**
   * Returns changes for the same transaction: the addresses and ports that a service reserves or releases. May assign to the draft. Called
   * after validation, and again when the write is repeated. Throws an `ApiError` to reject the write.
   */
  readonly companions?: (write: PendingWrite) => readonly ObjectChange[] | Promise<readonly ObjectChange[]>
  /** Seconds after which the store deletes an object; for events. */
  readonly ttlSeconds?: number
}

/** Changes of other objects in the same transaction, added by an admission plugin. */
export interface Companion {
  /** Called before each attempt to write, with the new object. Throws an `ApiError` to reject the write. */
  readonly changes: (write: PendingWrite) => readonly ObjectChange[] | Promise<readonly ObjectChange[]>
  /** Called after each attempt, whether it succeeded or not. */
  readonly settled?: () => void
}

export interface PendingWrite {
  /** The new object in its storage version; undefined for a deletion. */
  readonly draft: Draft<KubeObject> | undefined
  readonly old: CachedObject | undefined
  readonly dryRun: boolean
}
