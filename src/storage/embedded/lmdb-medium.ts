import type { Change, Counters, HeldView, KeptLease, KeyState, Medium, View, Writes } from '../engine/medium.js'
import { UnusableStoreError } from '../errors.js'
import { Arena } from './arena.js'
import {
  changeBytes,
  countersName,
  fenceName,
  leasedName,
  readCounters,
  readLeaseSeconds,
  stateBytesAtMost,
  writeChange,
  writeCounters,
  writeLease,
  writeLeased,
  writeState,
} from './encoding.js'
import { LmdbView } from './lmdb-view.js'
import type { Tables, Transaction } from './tables.js'

export interface LmdbMediumOptions {
  readonly tables: Tables
  /** The number that this process wrote into the fence when it opened the store. */
  readonly fence: number
  /** Makes an error of ours from one of LMDB's. */
  readonly explain: (error: unknown, bytes: number) => Promise<Error>
  /** Lets go of what else was taken for the store. */
  readonly release: () => Promise<void>
}

/**
 * The log, the keys and the leases in LMDB. A commit is one LMDB transaction: its pages are flushed to disk, then the page that
 * makes them count is, and only then does anyone see it. Reads are made in a read transaction that is moved on after each
 * commit, so that what is read always agrees with the counters.
 */
export class LmdbMedium implements Medium {
  counters: Counters
  readonly #options: LmdbMediumOptions
  readonly #tables: Tables
  readonly #arena = new Arena()
  #transaction: Transaction
  #view: LmdbView
  #held = 0
  #whenReleased: (() => void) | undefined

  constructor(options: LmdbMediumOptions) {
    this.#options = options
    this.#tables = options.tables
    this.#transaction = this.#tables.root.useReadTransaction()
    this.#view = this.#look()
    this.counters = this.#readCounters()
  }

  get view(): View {
    return this.#view
  }

  hold(): HeldView {
    this.#held++
    const transaction = this.#transaction
    transaction.use()
    const release = () => {
      transaction.done()
      if (--this.#held === 0) this.#whenReleased?.()
    }
    return new LmdbView(this.#tables, transaction, release)
  }

  *leases(): Iterable<KeptLease> {
    const inside = { transaction: this.#transaction }
    for (const { key: id, value } of this.#tables.leases.getRange({ start: '0', ...inside })) {
      const range = { start: `${id} `, end: `${id}!`, ...inside }
      const keys = [...this.#tables.leasedKeys.getRange(range)].map(({ key }) => key.slice(id.length + 1))
      yield { id, seconds: readLeaseSeconds(value), keys }
    }
  }

  async commit(writes: Writes): Promise<void> {
    const { fence } = this.#tables
    const put = this.#prepare(writes)
    let kept: boolean
    try {
      kept = await fence.ifVersion(fenceName, this.#options.fence, put)
    } catch (error) {
      throw await this.#options.explain(error, this.#arena.used)
    }
    if (!kept)
      throw new UnusableStoreError('another process has taken this store over; nothing more is written from here')
    this.#moveOn()
    this.counters = writes.counters
  }

  async close(): Promise<void> {
    if (this.#held > 0) await new Promise<void>((resolve) => (this.#whenReleased = resolve))
    this.#transaction.done()
    await this.#tables.root.close()
    await this.#options.release()
  }

  #moveOn(): void {
    const { root } = this.#tables
    root.resetReadTxn()
    this.#transaction.done()
    this.#transaction = root.useReadTransaction()
    this.#view = this.#look()
  }

  #look(): LmdbView {
    return new LmdbView(this.#tables, this.#transaction)
  }

  #readCounters(): Counters {
    return readCounters(this.#tables.root.getBinaryFast(countersName, { transaction: this.#transaction })!)
  }

  /**
   * What LMDB is given inside `put` becomes one transaction. Everything is encoded before: were that to fail halfway, half of it
   * would be written. The arena keeps the bytes until the transaction is done.
   */
  #prepare(writes: Writes): () => void {
    const { root, log, keys } = this.#tables
    this.#arena.reset()
    const changes = writes.changes.map((change) => this.#encode(change))
    const states = Array.from(writes.states, ([key, state]) => this.#encodeState(key, state))
    const counters = writeCounters(writes.counters)
    return () => {
      for (const [i, { modRevision, index }] of writes.changes.entries())
        log.put({ revision: modRevision, index }, changes[i]!)
      let i = 0
      for (const key of writes.states.keys()) keys.put(key, states[i++]!)
      for (const position of writes.sweptChanges) log.remove(position)
      for (const key of writes.sweptKeys) keys.remove(key)
      this.#writeLeases(writes)
      root.put(countersName, counters)
    }
  }

  #writeLeases({ formerLeases, states, grantedLeases, revokedLeases }: Writes): void {
    const { leases, leasedKeys } = this.#tables
    for (const [key, id] of formerLeases) leasedKeys.remove(leasedName(id, key))
    for (const [key, { lease }] of states) {
      if (lease === undefined) continue
      const name = leasedName(lease, key)
      leasedKeys.put(name, writeLeased(name))
    }
    for (const [id, seconds] of grantedLeases) leases.put(id, writeLease(id, seconds))
    for (const id of revokedLeases) leases.remove(id)
  }

  #encode(change: Change): Uint8Array {
    const { buffer, start } = this.#arena.reserve(changeBytes(change))
    return this.#arena.take(writeChange(change, buffer, start))
  }

  #encodeState(key: string, state: KeyState): Uint8Array {
    const { buffer, start } = this.#arena.reserve(stateBytesAtMost)
    return this.#arena.take(writeState(key, state, buffer, start))
  }
}
