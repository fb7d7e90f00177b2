import type { KubeObject } from '../../api/kube-object.js'
import type { CachedObject } from './cached-object.js'

/**
 * All objects of the store, in memory, as of one revision. The server writes only through it. Reads need no round trip to the store; after
 * `waitUntilCurrent` they see every write that was acknowledged before.
 */
export interface ObjectStore {
  /** The cache contains all changes up to this revision. */
  readonly revision: number
  /**
   * Resolves when the cache contains every write that was acknowledged so far. Returns undefined if it already does, so that most
   * requests need not await anything.
   */
  waitUntilCurrent(): Promise<void> | undefined
  /** Resolves when the cache contains all changes up to `revision`. Rejects when the signal is aborted. */
  waitForRevision(revision: number, signal: AbortSignal): Promise<void>
  /** The objects whose keys begin with `prefix`, which ends in a slash: `/registry/pods/`. Equal prefixes give the same collection. */
  collection(prefix: string): ObjectCollection
  /**
   * Makes all changes under one revision, or none. Returns undefined if an object was not at its expected revision. Returns a deleted
   * object as it was, with the revision of its deletion.
   */
  write(changes: readonly ObjectChange[]): Promise<readonly CachedObject[] | undefined>
  close(): Promise<void>
}

export interface ObjectChange {
  readonly key: string
  /** The revision that the object must have; 0 if it must not exist. */
  readonly expected: number
  /** The new object without resource version; undefined deletes. The caller must not modify it any more. */
  readonly object: KubeObject | undefined
  /** Seconds after which the store deletes the object. */
  readonly ttlSeconds?: number
}

/**
 * The objects of one resource. A `prefix` that ends in a slash selects all objects below it; any other is a whole key and selects that
 * object.
 */
export interface ObjectCollection {
  get(key: string): CachedObject | undefined
  /** The number of objects below `prefix` whose keys come after `after`. */
  count(prefix: string, after?: string): number
  /** The objects below `prefix` whose keys come after `after`, at most `limit`, in key order and of one revision. */
  list(prefix: string, after?: string, limit?: number): readonly CachedObject[]
  /** A page of a list as of an older revision. Throws the `CompactedError` of the store. */
  listAt(query: ListAtQuery): Promise<ListAtResult>
  /**
   * Delivers every change below `prefix` after `revision`, in order and exactly once. Changes that are no longer in memory come from the
   * history of the store, even those from before this process started; throws its `CompactedError` if the history is gone. Ends when the
   * signal is aborted, or when events may have been missed because the store was unreachable. Watchers of one prefix share batches.
   */
  watch(query: CollectionWatch): AsyncIterable<readonly CollectionEvent[]>
  /**
   * Calls the follower synchronously for every change from now on, before the write returns and before any reader can see it. For
   * indexes that must never lag behind the collection. Returns an unsubscribe function.
   */
  follow(follower: CollectionFollower): () => void
}

/** Must neither throw nor write: it is called while the cache applies a change. */
export interface CollectionFollower {
  readonly changed: (event: ChangeEvent) => void
  /** Changes may have been missed: the follower must rebuild what it derived from earlier events. */
  readonly reset: () => void
}

export interface ListAtQuery {
  readonly prefix: string
  readonly revision: number
  readonly after?: string
  readonly limit?: number
}

export interface ListAtResult {
  readonly objects: readonly CachedObject[]
  /** The number of objects that follow. */
  readonly remaining: number
}

export interface CollectionWatch {
  readonly prefix: string
  /** Limits the watch to objects with this field value. Other events may be delivered nevertheless. */
  readonly fieldMatch?: FieldMatch | undefined
  readonly revision: number
  readonly signal: AbortSignal
  /**
   * Returns the milliseconds until the next progress event. Called when the watch starts and after each progress event; undefined stops
   * them.
   */
  readonly progressIn?: () => number | undefined
}

/**
 * Selects the objects in which a field has a value. Thousands of watchers may each watch another value, as every kubelet does with its
 * pods, without each of them being called at every change.
 */
export interface FieldMatch {
  /** Identifies the field: equal names must have equivalent `read` functions. */
  readonly field: string
  readonly value: string
  readonly read: (object: KubeObject) => string
}

export type CollectionEvent =
  | {
      readonly type: 'put'
      readonly object: CachedObject
      /** The object that it replaced. */
      readonly previous: CachedObject | undefined
    }
  /** `object` is the deleted object, with the revision of its deletion. */
  | { readonly type: 'delete'; readonly object: CachedObject }
  /** All changes up to this revision have been delivered. */
  | { readonly type: 'progress'; readonly revision: number }

/** A change of an object. */
export type ChangeEvent = Exclude<CollectionEvent, { readonly type: 'progress' }>
