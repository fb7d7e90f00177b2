import type { KubeObject } from '../../api/kube-object.js'
import type { CachedObject } from './cached-object.js'

/**
 * The objects of the whole store, in memory, as of one revision; and the only way in which the server writes. One watch on the
 * store feeds it. Reads cost no round trip; what they see is at least as new as every write acknowledged to anyone before they
 * began (`current`).
 */
export interface ObjectStore {
  /** Everything up to this revision is in. */
  readonly revision: number
  /**
   * Must come before a read that is to see all that was acknowledged so far: resolves once it is in. Undefined if it already is,
   * so that nothing needs to be awaited on the way of most requests.
   */
  waitUntilCurrent(): Promise<void> | undefined
  /** Resolves once everything up to `revision` is in; rejects when the signal is aborted. */
  waitForRevision(revision: number, signal: AbortSignal): Promise<void>
  /** Objects whose keys begin with `prefix`, which ends in a slash: `/registry/pods/`. The same prefix gives the same collection. */
  collection(prefix: string): ObjectCollection
  /**
   * Makes all changes under one revision, or none: undefined if one of them did not find what it expected. A deleted object is
   * returned as it was, with the revision of its deletion.
   */
  write(changes: readonly ObjectChange[]): Promise<readonly CachedObject[] | undefined>
  close(): Promise<void>
}

export interface ObjectChange {
  readonly key: string
  /** The revision at which the object must stand; 0 if there must be none. */
  readonly expected: number
  /** Without resource version. Undefined deletes. From now on nobody may change it. */
  readonly object: KubeObject | undefined
  /** The object goes by itself after so many seconds. */
  readonly ttlSeconds?: number
}

/**
 * The objects of one resource. Where a prefix is asked for it ends in a slash and means everything below; one that does not is a
 * whole key, and means that object.
 */
export interface ObjectCollection {
  get(key: string): CachedObject | undefined
  /** How many there are below `prefix`, from the first after `after` on. */
  count(prefix: string, after?: string): number
  /** In key order, all of one moment, from the first after `after` on, at most `limit`. */
  list(prefix: string, after?: string, limit?: number): readonly CachedObject[]
  /** The page of a list as of an older revision, read from the store. Throws the store's `CompactedError`. */
  listAt(query: ListAtQuery): Promise<ListAtResult>
  /**
   * Every change below `prefix` after `revision`, in order, each exactly once: also from before this process began, as far as the
   * store keeps history; its `CompactedError` otherwise. Who reads slowly gets what is no longer at hand from that history, too.
   * Ends when the signal is aborted, or when the store was out of reach for so long that something may have been missed.
   * Batches are shared between watchers of one prefix.
   */
  watch(query: CollectionWatch): AsyncIterable<readonly CollectionEvent[]>
  /**
   * Tells of every change from now on while it happens: before the write that made it returns, and before anybody can read it and
   * act upon it. For those who keep an index of the collection that must never lag behind. Stops when what is returned is called.
   */
  follow(follower: CollectionFollower): () => void
}

/** Must not throw, nor write: the cache is in the middle of taking something in. */
export interface CollectionFollower {
  readonly changed: (event: ChangeEvent) => void
  /** Something may have been missed: whatever was made of earlier events has to be made anew. */
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
  /** How many are left after these. */
  readonly remaining: number
}

export interface CollectionWatch {
  readonly prefix: string
  /** Who looks only at a part need not be told of the rest; it may happen nevertheless. */
  readonly fieldMatch?: FieldMatch | undefined
  readonly revision: number
  readonly signal: AbortSignal
  /**
   * In how many milliseconds the watch is next to tell how far it has come. Asked when it begins and each time that it is due;
   * it is not told (any more) when this gives nothing.
   */
  readonly progressIn?: () => number | undefined
}

/**
 * The objects of which a field has a value. Thousands may each watch a part of their own, as every node does with its pods,
 * without each of them being asked at every change.
 */
export interface FieldMatch {
  /** The same name means the same field. */
  readonly field: string
  readonly value: string
  readonly read: (object: KubeObject) => string
}

export type CollectionEvent =
  | {
      readonly type: 'put'
      readonly object: CachedObject
      /** What it replaced. */
      readonly previous: CachedObject | undefined
    }
  /** `object` is what was deleted, with the revision of its deletion. */
  | { readonly type: 'delete'; readonly object: CachedObject }
  /** Everything up to this revision has been told. */
  | { readonly type: 'progress'; readonly revision: number }

/** What happened to an object. */
export type ChangeEvent = Exclude<CollectionEvent, { readonly type: 'progress' }>
