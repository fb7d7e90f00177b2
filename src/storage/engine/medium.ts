/**
 * What keeps the bytes of a store that lives in one process: a disk or plain memory. The engine above it decides what happens;
 * a medium only reads as of its last commit, and commits. Three things are kept: the log (every change, found by its position),
 * the keys (for each key the newest change of it), and the leases.
 */
import type { LeaseId, StoreEntry } from '../store.js'

/** What is known of a key without its value. It stands at `modRevision` and `index` in the log. */
export interface KeyState {
  readonly modRevision: number
  /** The place among the changes of that revision. */
  readonly index: number
  readonly createRevision: number
  /** 0: the key was deleted, and only history still knows it. */
  readonly version: number
  readonly lease: LeaseId | undefined
}

/**
 * One change, as the log keeps it. From the oldest kept revision on the log has every change of every revision; before that it
 * has only those that a current key still needs.
 */
export interface LoggedChange extends KeyState {
  readonly key: string
  /** What the key became; undefined when it was deleted. */
  readonly entry: StoreEntry | undefined
  /** Where the change before this one to the same key stands; revision 0 when there was none. */
  readonly previousRevision: number
  readonly previousIndex: number
  /** Whether it is the last change of its revision. */
  readonly last: boolean
}

/** Everything as of one commit. */
export interface View {
  state(key: string): KeyState | undefined
  /**
   * The entry that a key has in a state of it, which is not a deleted one. `many`: it is one of those whose keys are being
   * visited, and may share memory with the others.
   */
  entry(key: string, state: KeyState, many?: boolean): StoreEntry | undefined
  change(revision: number, index: number): LoggedChange | undefined
  /** As `change`, but the entry's value may be left empty: for those who only follow the chain of a key. */
  outline(revision: number, index: number): LoggedChange | undefined
  /**
   * Shows the keys that begin with `prefix` and come after `after`, in order, the deleted ones included, until `visit` says no.
   * Whether it came to the end.
   */
  visitKeys(prefix: string, after: string | undefined, visit: (key: string, newest: KeyState) => boolean): boolean
}

/** A view that stays as it is while commits go on. */
export interface SnapshotView extends View {
  release(): void
}

export interface Counters {
  readonly revision: number
  /** The oldest revision that can be read. */
  readonly oldest: number
  /** All garbage that changes before this revision left behind is gone from the log. */
  readonly swept: number
}

export interface StoredLease {
  readonly id: LeaseId
  readonly seconds: number
  readonly keys: readonly string[]
}

/** What one commit writes, all of it or nothing. */
export interface WriteSet {
  readonly counters: Counters
  readonly changes: readonly LoggedChange[]
  /** The newest state of each key that was changed. */
  readonly states: ReadonlyMap<string, KeyState>
  /** The lease that each of those keys was under before, where it was under one. */
  readonly previousLeases: ReadonlyMap<string, LeaseId>
  readonly sweptChanges: readonly { readonly revision: number; readonly index: number }[]
  readonly sweptKeys: readonly string[]
  readonly grantedLeases: ReadonlyMap<LeaseId, number>
  readonly revokedLeases: ReadonlySet<LeaseId>
}

export interface Medium {
  /** As of the last commit. */
  readonly counters: Counters
  /** As of the last commit; not to be used after the next one. */
  readonly view: View
  snapshot(): SnapshotView
  leases(): Iterable<StoredLease>
  /**
   * Resolves once everything is kept for good and `view` shows it. Rejects with a `StorageError` when nothing was kept (or, with
   * `UnavailableError`, when nobody can tell). Never called again before it has settled.
   */
  commit(writes: WriteSet): Promise<void>
  close(): Promise<void>
}
