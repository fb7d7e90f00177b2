import { FutureRevisionError, InvalidRequestError, LeaseNotFoundError } from '../errors.js'
import type { StoreChange as ChangeRequest, LeaseId, StoreEntry, Transaction, TransactionResult } from '../store.js'
import type { Counters, KeyState, LoggedChange, View, WriteSet } from './medium.js'

/** The index within a revision has two bytes in a position. */
const maximumChangesOfRevision = 0xffff

type DraftChange = { -readonly [K in keyof LoggedChange]: LoggedChange[K] }

/**
 * The writes of one commit. Commands are decided one after the other, each on top of the ones before it, against the last commit. Nothing
 * of it is visible before the commit is complete.
 */
export class Batch implements WriteSet {
  readonly changes: DraftChange[] = []
  readonly states = new Map<string, LoggedChange>()
  readonly previousLeases = new Map<string, LeaseId>()
  readonly sweptChanges: { revision: number; index: number }[] = []
  readonly sweptKeys: string[] = []
  readonly grantedLeases = new Map<LeaseId, number>()
  readonly revokedLeases = new Set<LeaseId>()
  /** The total size of the values, by which the commit queue limits a batch. */
  bytes = 0
  readonly #base: Counters
  readonly #view: View
  readonly #leases: LeaseLookup
  #revision: number
  #oldest: number
  #swept: number
  /** The last key that was read, and its state in the last commit: a transaction that compares a key usually changes it. */
  #soughtKey: string | undefined
  #sought: KeyState | undefined

  constructor(counters: Counters, view: View, leases: LeaseLookup) {
    this.#base = counters
    this.#view = view
    this.#leases = leases
    this.#revision = counters.revision
    this.#oldest = counters.oldest
    this.#swept = counters.swept
  }

  get counters(): Counters {
    return { revision: this.#revision, oldest: this.#oldest, swept: this.#swept }
  }

  get isEmpty(): boolean {
    return (
      this.#revision === this.#base.revision &&
      this.#oldest === this.#base.oldest &&
      this.#swept === this.#base.swept &&
      this.grantedLeases.size === 0 &&
      this.revokedLeases.size === 0
    )
  }

  transact({ compare, changes }: Transaction): TransactionResult {
    if (compare && !compare.every(({ key, modRevision }) => this.#modRevision(key) === modRevision)) {
      const current = compare.flatMap(({ key }) => this.#entry(key) ?? [])
      return { succeeded: false, revision: this.#revision, current }
    }
    for (const change of changes)
      if (change.type === 'put' && change.lease !== undefined) this.#checkLease(change.lease)
    return { succeeded: true, revision: this.#apply(changes) }
  }

  grantLease(id: LeaseId, seconds: number): void {
    this.grantedLeases.set(id, seconds)
  }

  revokeLease(id: LeaseId): void {
    this.#checkLease(id)
    const keys = this.#keysUnder(id)
    if (keys.length > maximumChangesOfRevision)
      throw new InvalidRequestError(
        `lease ${id} has ${keys.length} keys; at most ${maximumChangesOfRevision} can end at once`,
      )
    this.revokedLeases.add(id)
    this.grantedLeases.delete(id)
    this.#apply(keys.map((key) => ({ type: 'delete', key })))
  }

  compact(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision)
    this.#oldest = Math.max(this.#oldest, revision)
  }

  /**
   * Removes log entries that no readable revision needs, for at most `revisions` further revisions: changes that were replaced before the
   * oldest revision, and deletions before it. Keeps the oldest revision itself complete, for watches that start there.
   */
  sweep(revisions: number): void {
    const end = Math.min(this.#oldest, this.#base.revision + 1, this.#swept + revisions)
    for (; this.#swept < end; this.#swept++) this.#sweepRevision(this.#swept)
  }

  #sweepRevision(revision: number): void {
    for (let index = 0; ; index++) {
      const change = this.#view.outline(revision, index)
      if (!change) return
      const { previousRevision, previousIndex } = change
      if (previousRevision > 0) this.sweptChanges.push({ revision: previousRevision, index: previousIndex })
      if (change.version === 0) {
        this.sweptChanges.push({ revision, index })
        if (this.#state(change.key)?.modRevision === revision) this.sweptKeys.push(change.key)
      }
      if (change.last) return
    }
  }

  #apply(changes: readonly ChangeRequest[]): number {
    const revision = this.#revision + 1
    let last: DraftChange | undefined
    let index = 0
    for (const change of changes) {
      const drafted = this.#draft(change, revision, index)
      if (!drafted) continue
      last = drafted
      index++
    }
    if (last) {
      last.last = true
      this.#revision = revision
    }
    return this.#revision
  }

  #draft(change: ChangeRequest, revision: number, index: number): DraftChange | undefined {
    const { key } = change
    const before = this.#state(key)
    const existed = before !== undefined && before.version > 0
    if (change.type === 'delete' && !existed) return undefined
    const entry = change.type === 'put' ? nextEntry(change, existed ? before : undefined, revision) : undefined
    const drafted: DraftChange = {
      key,
      entry,
      modRevision: revision,
      index,
      createRevision: entry ? entry.createRevision : 0,
      version: entry ? entry.version : 0,
      lease: entry?.lease,
      previousRevision: before ? before.modRevision : 0,
      previousIndex: before ? before.index : 0,
      last: false,
    }
    if (before?.lease !== undefined && !this.states.has(key)) this.previousLeases.set(key, before.lease)
    if (entry) this.bytes += entry.value.length
    this.changes.push(drafted)
    this.states.set(key, drafted)
    return drafted
  }

  #state(key: string): KeyState | undefined {
    return this.states.get(key) ?? this.#stateBefore(key)
  }

  #stateBefore(key: string): KeyState | undefined {
    if (key !== this.#soughtKey) {
      this.#sought = this.#view.state(key)
      this.#soughtKey = key
    }
    return this.#sought
  }

  #modRevision(key: string): number {
    const state = this.#state(key)
    return state !== undefined && state.version > 0 ? state.modRevision : 0
  }

  #entry(key: string): StoreEntry | undefined {
    const drafted = this.states.get(key)
    if (drafted) return drafted.entry
    const state = this.#view.state(key)
    return state && state.version > 0 ? this.#view.entry(key, state) : undefined
  }

  #checkLease(id: LeaseId): void {
    const known = !this.revokedLeases.has(id) && (this.grantedLeases.has(id) || this.#leases.has(id))
    if (!known) throw new LeaseNotFoundError(id)
  }

  /** Returns the keys of a lease in this batch, in byte order. */
  #keysUnder(id: LeaseId): string[] {
    const kept = [...this.#leases.keysUnder(id)].filter((key) => !this.states.has(key))
    const drafted = [...this.states.values()].filter((change) => change.lease === id).map(({ key }) => key)
    return [...kept, ...drafted].sort(compareUtf8)
  }
}

/** The leases of the last commit. */
export interface LeaseLookup {
  has(id: LeaseId): boolean
  keysUnder(id: LeaseId): Iterable<string>
}

function nextEntry(put: ChangeRequest & { type: 'put' }, before: KeyState | undefined, revision: number): StoreEntry {
  const { key, value, lease } = put
  const createRevision = before ? before.createRevision : revision
  const version = before ? before.version + 1 : 1
  return lease === undefined
    ? { key, value, modRevision: revision, createRevision, version }
    : { key, value, modRevision: revision, createRevision, version, lease }
}

/** Compares in the order of UTF-8 bytes. JavaScript compares UTF-16 units, in which surrogates sort before U+E000 to U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0
  if (!late.test(a)) return a < b ? -1 : 1
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const one = a.charCodeAt(i)
    const other = b.charCodeAt(i)
    if (one !== other) return codePointRank(one) - codePointRank(other)
  }
  return a.length - b.length
}

/** The units that sort differently. If one of two keys has none of them, both orders agree. */
const late = /[\ud800-\uffff]/

function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
