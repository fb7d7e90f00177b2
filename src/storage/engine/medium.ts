/**
 * The interface of what stores the bytes of a local store: a disk or memory. The engine decides; a medium reads at its last commit, and
 * commits. It stores three things: the log (every change, by position), the keys (the newest change of each key), and the leases.
 */
import type { LeaseId, StoreEntry } from '../store.js'

/** The state of a key without its value. `modRevision` and `index` are its position in the log. */
export interface KeyState {
  readonly modRevision: number
  /** The index among the changes of that revision. */
  readonly index: number
  readonly createRevision: number
  /** 0 if the key was deleted and exists only in history. */
  readonly version: number
  readonly lease: LeaseId | undefined
}

/** One change in the log. From the oldest kept revision on, the log has every change; before that, only those that a current key needs. */
export interface LoggedChange extends KeyState {
  readonly key: string
  /** The new entry; undefined for a deletion. */
  readonly entry: StoreEntry | undefined
  /** The position of the previous change of the key; revision 0 if there was none. */
  readonly previousRevision: number
  readonly previousIndex: number
  /** Whether it is the last change of its revision. */
  readonly last: boolean
}

/** All data at one commit. */
export interface View {
  state(key: string): KeyState | undefined
  /** Returns the entry of a key that is not deleted. `many`: the keys are being visited, and entries may share memory. */
  entry(key: string, state: KeyState, many?: boolean): StoreEntry | undefined
  change(revision: number, index: number): LoggedChange | undefined
  /** As `change`, but may leave the value empty: for callers that follow the chain of a key. */
  outline(revision: number, index: number): LoggedChange | undefined
  /**
   * Calls `visit` for each key that starts with `prefix` and comes after `after`, in order, including deleted keys, until it returns false.
   * Returns whether it reached the end.
   */
  visitKeys(prefix: string, after: string | undefined, visit: (key: string, newest: KeyState) => boolean): boolean
}

/** A view that does not change with further commits. */
export interface SnapshotView extends View {
  release(): void
}

export interface Counters {
  readonly revision: number
  /** The oldest revision that can be read. */
  readonly oldest: number
  /** Everything that changes before this revision made obsolete is removed from the log. */
  readonly swept: number
}

export interface StoredLease {
  readonly id: LeaseId
  readonly seconds: number
  readonly keys: readonly string[]
}

/** The content of one commit. It is written completely or not at all. */
export interface WriteSet {
  readonly counters: Counters
  readonly changes: readonly LoggedChange[]
  /** The newest state of each changed key. */
  readonly states: ReadonlyMap<string, KeyState>
  /** The previous lease of each of those keys that had one. */
  readonly previousLeases: ReadonlyMap<string, LeaseId>
  readonly sweptChanges: readonly { readonly revision: number; readonly index: number }[]
  readonly sweptKeys: readonly string[]
  readonly grantedLeases: ReadonlyMap<LeaseId, number>
  readonly revokedLeases: ReadonlySet<LeaseId>
}

export interface Medium {
  /** At the last commit. */
  readonly counters: Counters
  /** At the last commit. Invalid after the next one. */
  readonly view: View
  snapshot(): SnapshotView
  leases(): Iterable<StoredLease>
  /**
   * Resolves when everything is durable and visible in `view`. Rejects with a `StorageError` if nothing was written, or with
   * `UnavailableError` if that is unknown. Not called again before it has settled.
   */
  commit(writes: WriteSet): Promise<void>
  close(): Promise<void>
}
