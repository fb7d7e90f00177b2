import type { Counters, KeyState, SnapshotView, StoredLease, View } from '../../engine/medium.js'
import { UnusableStoreError } from '../../errors.js'
import {
  countersName,
  fenceName,
  journalName,
  readCounters,
  readLeaseSeconds,
  readSequence,
  stateBytesAtMost,
  writeCounters,
  writeLease,
  writeLeased,
  writeSequence,
  writeState,
} from '../encoding.js'
import type { Delta } from '../journal/delta.js'
import { Arena } from './arena.js'
import { LmdbView } from './lmdb-view.js'
import type { LmdbTables, ReadTransaction } from './tables.js'

export interface LmdbMediumOptions {
  readonly tables: LmdbTables
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
export class LmdbMedium {
  counters: Counters
  /** The last record of the journal that is in here. */
  sequence: number
  readonly #options: LmdbMediumOptions
  readonly #tables: LmdbTables
  readonly #arena = new Arena()
  #transaction: ReadTransaction
  #view: LmdbView
  #held = 0
  #whenReleased: (() => void) | undefined

  constructor(options: LmdbMediumOptions) {
    this.#options = options
    this.#tables = options.tables
    this.#transaction = this.#tables.root.useReadTransaction()
    this.#view = this.#look()
    this.counters = readCounters(this.#own(countersName)!)
    this.sequence = readSequence(this.#own(journalName))
  }

  get view(): View {
    return this.#view
  }

  hold(): SnapshotView {
    this.#held++
    const transaction = this.#transaction
    transaction.use()
    const release = () => {
      transaction.done()
      if (--this.#held === 0) this.#whenReleased?.()
    }
    return new LmdbView(this.#tables, transaction, release)
  }

  *leases(): Iterable<StoredLease> {
    const inside = { transaction: this.#transaction }
    for (const { key: id, value } of this.#tables.leases.getRange({ start: '0', ...inside })) {
      const range = { start: `${id} `, end: `${id}!`, ...inside }
      const keys = [...this.#tables.leasedKeys.getRange(range)].map(({ key }) => key.slice(id.length + 1))
      yield { id, seconds: readLeaseSeconds(value), keys }
    }
  }

  /** Resolves when it is on disk, and seen. */
  async commit(deltas: readonly Delta[], counters: Counters, sequence: number): Promise<void> {
    const { fence } = this.#tables
    const put = this.#prepare(deltas, counters, sequence)
    let kept: boolean
    try {
      kept = await fence.ifVersion(fenceName, this.#options.fence, put)
    } catch (error) {
      throw await this.#options.explain(error, bytesOf(deltas))
    }
    if (!kept)
      throw new UnusableStoreError('another process has taken this store over; nothing more is written from here')
    this.#moveOn()
    this.counters = counters
    this.sequence = sequence
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

  #own(name: string): Buffer | undefined {
    return this.#tables.root.getBinaryFast(name, { transaction: this.#transaction })
  }

  /**
   * What LMDB is given inside `put` becomes one transaction. Everything is encoded before: were that to fail halfway, half of it
   * would be written. The arena keeps the bytes until the transaction is done.
   */
  #prepare(deltas: readonly Delta[], counters: Counters, sequence: number): () => void {
    const { root } = this.#tables
    this.#arena.reset()
    const states = deltas.map((delta) => this.#encodeStates(delta))
    const ownCounters = writeCounters(counters)
    const ownSequence = writeSequence(sequence)
    return () => {
      for (const [i, delta] of deltas.entries()) {
        this.#writeLog(delta)
        this.#writeStates(states[i]!)
        this.#writeLeases(delta)
      }
      root.put(countersName, ownCounters)
      root.put(journalName, ownSequence)
    }
  }

  #writeLog({ changes, sweptChanges }: Delta): void {
    const { log } = this.#tables
    for (const [revision, ofRevision] of changes)
      for (const [index, encoded] of ofRevision.entries()) if (encoded) log.put({ revision, index }, encoded.bytes)
    for (const position of sweptChanges) log.remove(position)
  }

  #encodeStates({ states }: Delta): readonly EncodedState[] {
    return Array.from(states, ([key, state]) => ({ key, bytes: state && this.#encodeState(key, state) }))
  }

  #writeStates(states: readonly EncodedState[]): void {
    const { keys } = this.#tables
    for (const { key, bytes } of states)
      if (bytes) keys.put(key, bytes)
      else keys.remove(key)
  }

  #writeLeases({ leases, leasedKeys }: Delta): void {
    for (const [name, isLeased] of leasedKeys)
      if (isLeased) this.#tables.leasedKeys.put(name, writeLeased(name))
      else this.#tables.leasedKeys.remove(name)
    for (const [id, seconds] of leases)
      if (seconds === undefined) this.#tables.leases.remove(id)
      else this.#tables.leases.put(id, writeLease(id, seconds))
  }

  #encodeState(key: string, state: KeyState): Uint8Array {
    const { buffer, start } = this.#arena.reserve(stateBytesAtMost)
    return this.#arena.take(writeState(key, state, buffer, start))
  }
}

interface EncodedState {
  readonly key: string
  /** `null` where the key is gone. */
  readonly bytes: Uint8Array | null
}

function bytesOf(deltas: readonly Delta[]): number {
  return deltas.reduce((sum, { bytes }) => sum + bytes, 0)
}
