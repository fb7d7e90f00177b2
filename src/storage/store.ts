/**
 * Revisioned bytes, with etcd's meaning. One counter, the revision, numbers every change to the whole store: a transaction that
 * changes anything takes the next revision, whatever it changes, and all of its changes carry that number. An empty store is at
 * revision 1. Nothing here knows what the bytes mean.
 *
 * **Order.** Transactions happen one after the other, in the order of their revisions. A read without a revision sees every write
 * that was acknowledged, to anyone, before the read began (it is linearizable), and nothing that a crash could still undo. Keys
 * are ordered by their UTF-8 bytes.
 *
 * **Buffers.** Bytes handed in belong to the store: the caller must not change them afterwards. Bytes handed out may be shared
 * with other readers: nobody changes them, and they stay valid for as long as they are held.
 *
 * **Crashes.** A write is acknowledged (its promise resolves) only when it is on disk. After a crash every acknowledged write is
 * there; one that was not acknowledged is wholly there or wholly absent; revisions never go back, and a revision that was handed
 * out is never used again for something else. A write whose promise rejected with `UnavailableError` may or may not have
 * happened: read to find out.
 *
 * **Errors** are those of `errors.ts`; every promise and iterator here rejects with one of them or not at all. What no store
 * takes (`request.ts`) is an `InvalidRequestError`; it is found before anything else, and comes through the promise as well.
 */
export interface Store {
  /** The entry at `key`, now or as it was at an older revision that is still kept. */
  get(key: string, options?: ReadOptions): Promise<GetResult>
  /** The entries whose keys begin with `prefix`, in key order, all as of one revision. */
  range(query: RangeQuery): Promise<RangeResult>
  /** If all comparisons hold, makes all the changes under one new revision; otherwise changes nothing. */
  transact(transaction: Transaction): Promise<TransactionResult>
  /**
   * Every change under `prefix` from a revision on: each exactly once, in the order of revisions, first from history and then
   * live, with no gap between the two. A watcher that reads slowly is not carried in memory without bound: it falls back to
   * reading history, and fails with `CompactedError` if that is gone. Leaving the loop, or aborting the signal, ends the watch
   * as if there were no more changes; `close` ends it with `ClosedError`.
   */
  watch(query: WatchQuery): AsyncIterable<WatchBatch>
  /**
   * Forgets history: afterwards no revision before `revision` can be read or watched from. Current entries stay. Where that much
   * is forgotten already, nothing happens; a revision that does not exist yet is a `FutureRevisionError`.
   */
  compact(revision: number): Promise<void>
  /**
   * A lease of `seconds` (an engine may grant more): keys put under it are deleted, as by an ordinary transaction, once it is not
   * kept alive that long. A key belongs to the lease of its last put: putting it again without one sets it free. When the store
   * was away, a lease's time starts again in full.
   */
  grantLease(seconds: number): Promise<GrantedLease>
  /** Starts the lease's time again. */
  keepLeaseAlive(id: LeaseId): Promise<GrantedLease>
  /** Deletes the lease and, under one revision and in their order, its keys. */
  revokeLease(id: LeaseId): Promise<void>
  /** Waits for what was already asked for, then lets go of files, sockets and timers. Later calls reject with `ClosedError`. */
  close(): Promise<void>
}

export interface StoreEntry {
  readonly key: string
  readonly value: Uint8Array
  /** The revision that last put this key. */
  readonly modRevision: number
  /** The revision that put it first since it last did not exist. */
  readonly createRevision: number
  /** How many times it was put since then. */
  readonly version: number
  readonly lease?: LeaseId
}

export interface ReadOptions {
  /** Read as of this revision. `CompactedError` if it is no longer kept, `FutureRevisionError` if it does not exist yet. */
  readonly revision?: number
}

export interface GetResult {
  /** The store's revision at which this is true. */
  readonly revision: number
  readonly entry: StoreEntry | undefined
}

export interface RangeQuery extends ReadOptions {
  /** `''` is the whole store. */
  readonly prefix: string
  /** Only keys that come after this one: the last key of the page before. It need not exist, nor begin with the prefix. */
  readonly after?: string
  /** At most so many entries. */
  readonly limit?: number
  /** Only count: `entries` stays empty. */
  readonly countOnly?: boolean
}

export interface RangeResult {
  /** The revision all entries are as of: pass it with `after` to get the next page of the same snapshot. */
  readonly revision: number
  readonly entries: readonly StoreEntry[]
  /** How many keys match, from `after` on, regardless of `limit`. */
  readonly count: number
  /** Whether `limit` cut the answer short. */
  readonly more: boolean
}

export interface Transaction {
  /** What must be true for the changes to be made. */
  readonly compare?: readonly Comparison[]
  /** At least one, at most `maximumTransactionChanges`; no key twice. */
  readonly changes: readonly StoreChange[]
}

export interface Comparison {
  readonly key: string
  /** The key's `modRevision`; 0 means that it does not exist. */
  readonly modRevision: number
}

export type StoreChange =
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array; readonly lease?: LeaseId }
  /** Deleting a key that does not exist changes nothing. */
  | { readonly type: 'delete'; readonly key: string }

export type TransactionResult =
  /** A transaction that changed nothing (its deletes found no key) takes no revision: this is then the current one. */
  | { readonly succeeded: true; readonly revision: number }
  /** `current` are the compared keys that exist, as they were when the comparison failed, in the order of the comparisons. */
  | { readonly succeeded: false; readonly revision: number; readonly current: readonly StoreEntry[] }

export interface WatchQuery {
  readonly prefix: string
  /**
   * The first revision to report. In the future: changes from then on. Left out: changes after the moment the watch began, which
   * lies between the call and the first batch or mark; whoever must know exactly gives a revision.
   */
  readonly revision?: number
  /** Hand out what each change replaced, as far as it is kept: for changes of the oldest kept revision it may be missing. */
  readonly previous?: boolean
  /** Also report, at least this often in milliseconds, how far the watch has come, when there is nothing else to report. */
  readonly progressInterval?: number
  readonly signal?: AbortSignal
}

/**
 * What one or several consecutive revisions changed under the prefix. The changes of one revision are never split, and stand in
 * the order in which the transaction gave them.
 */
export interface WatchBatch {
  /** Everything up to and including this revision has now been reported. */
  readonly revision: number
  /** Empty in a mere progress mark. */
  readonly events: readonly StoreEvent[]
}

export type StoreEvent =
  | { readonly type: 'put'; readonly entry: StoreEntry; readonly previous?: StoreEntry }
  | { readonly type: 'delete'; readonly key: string; readonly revision: number; readonly previous?: StoreEntry }

/** A positive 63-bit number in decimal, as etcd's are. */
export type LeaseId = string

export interface GrantedLease {
  readonly id: LeaseId
  readonly seconds: number
}

// What etcd accepts by default, and so what moves between the engines without surprise.
export const maximumValueBytes = 1.5 * 1024 * 1024
export const maximumTransactionChanges = 128
export const maximumLeaseSeconds = 9_000_000_000
/** etcd sets no limit here, but nothing that Kubernetes names comes near this one. */
export const maximumKeyBytes = 1024
