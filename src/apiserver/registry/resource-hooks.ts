import type { KubeObject } from '../../api/kube-object.js'
import type { Draft } from '../../schema/infer.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectChange } from '../cache/object-store.js'

/** Where a resource differs from the rest in ways that need the store. Most resources have none of this. */
export interface ResourceHooks {
  /**
   * Further changes that must happen together with a write or not at all: the addresses and ports that it takes or gives back.
   * May assign to the draft. Runs after validation of what the client gave, and again whenever the write has to be repeated.
   * Refuses by throwing an `ApiError`.
   */
  readonly companions?: (write: PendingWrite) => readonly ObjectChange[] | Promise<readonly ObjectChange[]>
  /** How many seconds an object is kept; events go by themselves. */
  readonly ttlSeconds?: number
}

/** Changes of other objects that happen together with a write or not at all, by somebody who has no say over the kind. */
export interface Companion {
  /** Asked before each attempt to write, with the object as it is to be. Refuses by throwing an `ApiError`. */
  readonly changes: (write: PendingWrite) => readonly ObjectChange[] | Promise<readonly ObjectChange[]>
  /** Told once after each time that it was asked, whatever came of it. */
  readonly settled?: () => void
}

export interface PendingWrite {
  /** Undefined when the object is being deleted. In the version in which it is stored. */
  readonly draft: Draft<KubeObject> | undefined
  readonly old: CachedObject | undefined
  readonly dryRun: boolean
}
