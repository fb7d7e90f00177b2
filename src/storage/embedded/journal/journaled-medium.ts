import { statfsSync } from 'node:fs'
import type { Clock, Timer } from '../../../base/clock.js'
import type { Counters, Medium, SnapshotView, StoredLease, View, WriteSet } from '../../engine/medium.js'
import { UnusableStoreError } from '../../errors.js'
import type { LmdbMedium } from '../lmdb/lmdb-medium.js'
import { Delta } from './delta.js'
import { Journal, segmentBytes } from './journal.js'
import { OverlayView } from './overlay-view.js'
import { type EncodedRecord, encodeJournalRecord, recordBytes } from './record.js'

/** LMDB takes over the journal when it has this many bytes, or is this old in milliseconds. */
const settleBytes = segmentBytes / 2
const settleAfter = 5_000

/** With less free space LMDB might fail to settle: then commits go directly to LMDB, and fail if there is no space. */
const minFreeBytes = 16 * 1024 * 1024

export interface JournaledMediumOptions {
  readonly directory: string
  readonly lmdb: LmdbMedium
  readonly clock: Clock
}

/**
 * LMDB behind a journal. A commit is durable and visible when its record is on disk: one flush instead of LMDB's two, into allocated space.
 * LMDB follows, with many commits in one transaction. Reads see LMDB with the newer commits on top.
 */
export class JournaledMedium implements Medium {
  counters: Counters
  readonly #directory: string
  readonly #lmdb: LmdbMedium
  readonly #clock: Clock
  #journal: Journal | undefined
  #sequence: number
  /** The commits that LMDB does not have yet, the newest first. */
  #deltas: readonly Delta[] = []
  /** The first of them, while no reader uses it. */
  #growing: Delta | undefined
  #view: View | undefined
  #settling: Promise<void> | undefined
  #timer: Timer | undefined
  /** LMDB failed to settle: no commit is accepted until it succeeds. */
  #hasFailed = false
  /** Whether there was little space at the last check. */
  #wasLowOnSpace = false

  constructor({ directory, lmdb, clock }: JournaledMediumOptions) {
    this.#directory = directory
    this.#lmdb = lmdb
    this.#clock = clock
    this.#sequence = lmdb.sequence
    this.counters = lmdb.counters
  }

  get view(): View {
    this.#view ??= this.#deltas.length === 0 ? this.#lmdb.view : new OverlayView(this.#deltas, this.#lmdb.view)
    return this.#view
  }

  snapshot(): SnapshotView {
    const below = this.#lmdb.hold()
    this.#growing = undefined
    return new OverlayView(this.#deltas, below, () => below.release())
  }

  /** Called once, before the first commit. */
  leases(): Iterable<StoredLease> {
    return this.#lmdb.leases()
  }

  async commit(writes: WriteSet): Promise<void> {
    const bytes = recordBytes(writes)
    if (this.#hasFailed) await this.#settle()
    if (bytes > segmentBytes || this.#isLowOnSpace()) return this.#commitDirectly(writes, bytes)
    this.#journal ??= new Journal(this.#directory, this.#sequence)
    while (!this.#journal.hasRoom(bytes)) await this.#settle()
    const sequence = this.#sequence + 1
    const record = encodeJournalRecord(sequence, writes, this.#journal.reserve(bytes))
    await this.#journal.append(record.end, sequence)
    if (!this.#journal.isOurs) throw overtaken()
    this.#take(writes, record)
  }

  #take(writes: WriteSet, { changes }: EncodedRecord): void {
    this.#sequence++
    this.counters = writes.counters
    if (!this.#growing) {
      this.#growing = new Delta()
      this.#deltas = [this.#growing, ...this.#deltas]
    }
    this.#growing.add(writes, changes)
    this.#view = undefined
    this.#arrange()
  }

  /** LMDB must have all earlier commits: those that it does not have count as newer. */
  async #commitDirectly(writes: WriteSet, bytes: number): Promise<void> {
    while (this.#deltas.length > 0) await this.#settle()
    const sequence = this.#sequence + 1
    const { changes } = encodeJournalRecord(sequence, writes, { buffer: Buffer.allocUnsafeSlow(bytes), start: 0 })
    const delta = new Delta()
    delta.add(writes, changes)
    await this.#lmdb.commit([delta], writes.counters, sequence)
    this.#sequence = sequence
    this.counters = writes.counters
    this.#view = undefined
    this.#journal?.settled(this.#sequence)
  }

  /** Checked again for each part that LMDB settles. */
  #isLowOnSpace(): boolean {
    if (!this.#growing) {
      const { bavail, bsize } = statfsSync(this.#directory)
      this.#wasLowOnSpace = bavail * bsize < minFreeBytes
    }
    return this.#wasLowOnSpace
  }

  /** Schedules settling: at once for a large delta, otherwise after a while, and not before the running one has ended. */
  #arrange(): void {
    if (this.#settling || this.#deltas.length === 0) return
    if (this.#growing && this.#growing.bytes >= settleBytes) this.#settleInBackground()
    else this.#timer ??= this.#clock.timer(settleAfter, () => this.#settleInBackground())
  }

  /** Commits continue meanwhile. If it fails, the next commit fails. */
  #settleInBackground(): void {
    this.#settle().then(
      () => this.#arrange(),
      () => undefined,
    )
  }

  /** Resolves when LMDB has everything that existed when it started, which may be a while ago. */
  #settle(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#settling ??= this.#writeDown().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }

  async #writeDown(): Promise<void> {
    const deltas = this.#deltas
    const sequence = this.#sequence
    if (deltas.length === 0) return
    this.#growing = undefined
    try {
      await this.#lmdb.commit(deltas.toReversed(), this.counters, sequence)
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
    this.#hasFailed = false
    this.#deltas = this.#deltas.slice(0, this.#deltas.length - deltas.length)
    this.#view = undefined
    this.#journal?.settled(sequence)
  }

  /** Records that LMDB cannot take now stay in the journal, for the next process. */
  async close(): Promise<void> {
    try {
      await this.#settling
      await this.#settle()
      this.#journal?.remove()
    } catch {
      this.#journal?.close()
    }
    await this.#lmdb.close()
  }
}

function overtaken(): UnusableStoreError {
  return new UnusableStoreError('another process has taken this store over; nothing more is written from here')
}
