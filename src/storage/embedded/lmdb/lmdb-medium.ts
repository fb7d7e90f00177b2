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
  /** Converts an error of LMDB. */
  readonly explain: (error: unknown, bytes: number) => Promise<Error>
  /** Releases the other resources of the store. */
  readonly release: () => Promise<void>
}

/**
 * The log, the keys and the leases in LMDB. A commit is one LMDB transaction: it flushes its pages, then the page that makes them valid,
 * and becomes visible only then. Reads use a read transaction that is renewed after each commit, so that they always agree with the
 * counters.
 */
export class LmdbMedium {
  counters: Counters
  /** The sequence of the last journal record in LMDB. */
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
    this.#view = this.#openView()
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

  /** Resolves when the commit is on disk and visible. */
  async commit(deltas: readonly Delta[], counters: Counters, sequence: number): Promise<void> {
    const { fence } = this.#tables
    const put = this.#prepare(deltas, counters, sequence)
    let isCommitted: boolean
    try {
      isCommitted = await fence.ifVersion(fenceName, this.#options.fence, put)
    } catch (error) {
      throw await this.#options.explain(error, bytesOf(deltas))
    }
    if (!isCommitted)
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
    this.#view = this.#openView()
  }

  #openView(): LmdbView {
    return new LmdbView(this.#tables, this.#transaction)
  }

  #own(name: string): Buffer | undefined {
    return this.#tables.root.getBinaryFast(name, { transaction: this.#transaction })
  }

  /**
   * Encodes everything, and returns a function that puts it into LMDB in one transaction. Encoding comes first: an error in the middle
   * would leave a partial commit. The arena keeps the bytes until the transaction has ended.
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
  /** `null` for a deleted key. */
  readonly bytes: Uint8Array | null
}

function bytesOf(deltas: readonly Delta[]): number {
  return deltas.reduce((sum, { bytes }) => sum + bytes, 0)
}
