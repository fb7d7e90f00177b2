import { statfsSync } from 'node:fs'
import type { Clock, Timer } from '../../base/clock.js'
import type { Counters, HeldView, KeptLease, Medium, View, Writes } from '../engine/medium.js'
import { UnusableStoreError } from '../errors.js'
import { Delta } from './delta.js'
import { Journal, segmentBytes } from './journal.js'
import { type EncodedWrites, encodeRecord } from './journal-record.js'
import type { LmdbMedium } from './lmdb-medium.js'
import { OverlayView } from './overlay-view.js'

/** LMDB settles what the journal has when it is this much, or this old in milliseconds. */
const settleBytes = segmentBytes / 2
const settleAfter = 5_000

/** With less room than this on the disk LMDB might fail to settle: then commits go straight to it, and are refused where there is none. */
const tightBytes = 16 * 1024 * 1024

export interface JournaledMediumOptions {
  readonly directory: string
  readonly lmdb: LmdbMedium
  readonly clock: Clock
}

/**
 * LMDB behind a journal. A commit is kept, and seen, when its record is on disk: one flush instead of LMDB's two, into space that is there
 * already. LMDB follows, with many commits in one transaction. What it does not have yet is laid over it for those who read.
 */
export class JournaledMedium implements Medium {
  counters: Counters
  readonly #directory: string
  readonly #lmdb: LmdbMedium
  readonly #clock: Clock
  #journal: Journal | undefined
  #sequence: number
  /** What LMDB does not have yet, the newest first. */
  #deltas: readonly Delta[] = []
  /** The first of them, while nobody else holds on to it. */
  #growing: Delta | undefined
  #view: View | undefined
  #settling: Promise<void> | undefined
  #timer: Timer | undefined
  /** LMDB failed to settle: until it has, nothing more is taken. */
  #stuck = false
  /** Whether there was little room when it was last looked for. */
  #wasTight = false

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

  hold(): HeldView {
    const below = this.#lmdb.hold()
    this.#growing = undefined
    return new OverlayView(this.#deltas, below, () => below.release())
  }

  /** Asked for once, before the first commit. */
  leases(): Iterable<KeptLease> {
    return this.#lmdb.leases()
  }

  async commit(writes: Writes): Promise<void> {
    const sequence = this.#sequence + 1
    const record = encodeRecord(sequence, writes)
    if (this.#stuck) await this.#settle()
    if (record.bytes.length > segmentBytes || this.#isTight()) return this.#commitDirectly(writes, record)
    this.#journal ??= new Journal(this.#directory, this.#sequence)
    while (!this.#journal.hasRoom(record.bytes.length)) await this.#settle()
    await this.#journal.append(record.bytes, sequence)
    if (!this.#journal.isOurs) throw overtaken()
    this.#take(writes, record)
  }

  #take(writes: Writes, { changes }: EncodedWrites): void {
    this.#sequence++
    this.counters = writes.counters
    if (!this.#growing) {
      this.#growing = new Delta()
      this.#deltas = [this.#growing, ...this.#deltas]
    }
    this.#growing.add(writes, changes)
    this.#view = undefined
    if (this.#growing.bytes >= settleBytes) this.#settleSoon()
    else this.#timer ??= this.#clock.timer(settleAfter, () => this.#settleSoon())
  }

  async #commitDirectly(writes: Writes, { changes }: EncodedWrites): Promise<void> {
    await this.#settle()
    const delta = new Delta()
    delta.add(writes, changes)
    await this.#lmdb.commit([delta], writes.counters, this.#sequence + 1)
    this.#sequence++
    this.counters = writes.counters
    this.#view = undefined
    this.#journal?.settled(this.#sequence)
  }

  /** Asked anew for each part that LMDB settles. */
  #isTight(): boolean {
    if (!this.#growing) {
      const { bavail, bsize } = statfsSync(this.#directory)
      this.#wasTight = bavail * bsize < tightBytes
    }
    return this.#wasTight
  }

  /** Who commits next learns whether it failed. */
  #settleSoon(): void {
    this.#settle().catch(() => undefined)
  }

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
    this.#stuck = true
    await this.#lmdb.commit(deltas.toReversed(), this.counters, sequence)
    this.#stuck = false
    this.#deltas = this.#deltas.slice(0, this.#deltas.length - deltas.length)
    this.#view = undefined
    this.#journal?.settled(sequence)
  }

  /** What LMDB cannot take now stays in the journal, for the next life. */
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
