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
  /** Returns the entry of `key`, now or at an older revision that is still kept. */
  get(key: string, options?: ReadOptions): Promise<GetResult>
  /** Returns the entries whose keys start with `prefix`, in key order, all at one revision. */
  range(query: RangeQuery): Promise<RangeResult>
  /** Makes all changes under one new revision if all comparisons hold; otherwise changes nothing. */
  transact(transaction: Transaction): Promise<TransactionResult>
  /**
   * Yields every change under `prefix` from a revision on: each exactly once, in the order of revisions, first from history and then live,
   * without a gap. A slow reader does not use memory without bound: the watch falls back to history, and fails with `CompactedError` if
   * that is compacted. Leaving the loop or aborting the signal ends the watch as if there were no more changes; `close` ends it with
   * `ClosedError`.
   */
  watch(query: WatchQuery): AsyncIterable<WatchBatch>
  /**
   * Compacts history: afterwards no revision before `revision` can be read or watched from. Current entries stay. Does nothing if that
   * history is already compacted. Rejects with `FutureRevisionError` for a revision that does not exist yet.
   */
  compact(revision: number): Promise<void>
  /**
   * Grants a lease of `seconds` (an engine may grant more). When it is not kept alive for that long, its keys are deleted as by a
   * transaction. A key belongs to the lease of its last put; a put without a lease detaches it. After a restart of the store, a lease has
   * its full duration again.
   */
  grantLease(seconds: number): Promise<GrantedLease>
  /** Restarts the duration of the lease. */
  keepLeaseAlive(id: LeaseId): Promise<GrantedLease>
  /** Deletes the lease and its keys, under one revision and in key order. */
  revokeLease(id: LeaseId): Promise<void>
  /** Waits for pending requests, then releases files, sockets and timers. Later calls reject with `ClosedError`. */
  close(): Promise<void>
}

export interface StoreEntry {
  readonly key: string
  readonly value: Uint8Array
  /** The revision of the last put. */
  readonly modRevision: number
  /** The revision of the first put since the key last did not exist. */
  readonly createRevision: number
  /** The number of puts since then. */
  readonly version: number
  readonly lease?: LeaseId
}

export interface ReadOptions {
  /** Reads at this revision. Rejects with `CompactedError` if it was compacted, with `FutureRevisionError` if it does not exist yet. */
  readonly revision?: number
}

export interface GetResult {
  /** The revision of the store at which the result is true. */
  readonly revision: number
  readonly entry: StoreEntry | undefined
}

export interface RangeQuery extends ReadOptions {
  /** `''` for the whole store. */
  readonly prefix: string
  /** Only keys after this one: the last key of the previous page. It need not exist, nor start with the prefix. */
  readonly after?: string
  /** The maximum number of entries. */
  readonly limit?: number
  /** Only counts: `entries` is empty. */
  readonly countOnly?: boolean
}

export interface RangeResult {
  /** The revision of all entries. Pass it with `after` to get the next page of the same snapshot. */
  readonly revision: number
  readonly entries: readonly StoreEntry[]
  /** The number of matching keys after `after`, regardless of `limit`. */
  readonly count: number
  /** Whether `limit` truncated the result. */
  readonly more: boolean
}

export interface Transaction {
  /** What must be true for the changes to be made. */
  readonly compare?: readonly Comparison[]
  /** At least one, at most `maximumTransactionChanges`; each key at most once. */
  readonly changes: readonly StoreChange[]
}

export interface Comparison {
  readonly key: string
  /** The expected `modRevision` of the key; 0 if it must not exist. */
  readonly modRevision: number
}

export type StoreChange =
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array; readonly lease?: LeaseId }
  /** Does nothing if the key does not exist. */
  | { readonly type: 'delete'; readonly key: string }

export type TransactionResult =
  /** A transaction that changed nothing (its deletes found no key) takes no revision: this is the current one. */
  | { readonly succeeded: true; readonly revision: number }
  /** `current` are the compared keys that exist, at the time of the comparison, in the order of the comparisons. */
  | { readonly succeeded: false; readonly revision: number; readonly current: readonly StoreEntry[] }

export interface WatchQuery {
  readonly prefix: string
  /**
   * The first revision to report; it may be in the future. Without it, changes after the start of the watch, which is between the call and
   * the first batch. Pass a revision if the exact start matters.
   */
  readonly revision?: number
  /** Also returns what each change replaced, if it is kept: for changes of the oldest kept revision it may be missing. */
  readonly previous?: boolean
  /** Reports the progress of the watch at least this often, in milliseconds, if there is nothing else to report. */
  readonly progressInterval?: number
  readonly signal?: AbortSignal
}

/**
 * The changes of one or several consecutive revisions under the prefix. The changes of one revision are never split, and have the order of
 * the transaction.
 */
export interface WatchBatch {
  /** Everything up to and including this revision is now reported. */
  readonly revision: number
  /** Empty for a progress mark. */
  readonly events: readonly StoreEvent[]
}

export type StoreEvent =
  | { readonly type: 'put'; readonly entry: StoreEntry; readonly previous?: StoreEntry }
  | { readonly type: 'delete'; readonly key: string; readonly revision: number; readonly previous?: StoreEntry }

/** A positive 63-bit number in decimal, as in etcd. */
export type LeaseId = string

export interface GrantedLease {
  readonly id: LeaseId
  readonly seconds: number
}

// etcd's default limits, so that data can be moved between engines.
export const maximumValueBytes = 1.5 * 1024 * 1024
export const maximumTransactionChanges = 128
export const maximumLeaseSeconds = 9_000_000_000
/** etcd has no limit here; all keys of Kubernetes are far shorter. */
export const maximumKeyBytes = 1024
