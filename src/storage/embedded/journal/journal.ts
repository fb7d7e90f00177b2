import { closeSync, constants, fsyncSync, openSync, rmSync, statSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { flushFolder } from '../store-folder.js'
import type { RecordSlot } from './record.js'

const writeAt = promisify(write)

/** A longer record is not written to the journal. */
export const segmentBytes = 2 * 1024 * 1024

export const segmentNames = ['journal-0', 'journal-1'] as const

interface Segment {
  readonly path: string
  readonly descriptor: number
  readonly inode: number
  /** The content of the file, for LMDB: each record is encoded here, at its offset. */
  readonly bytes: Buffer
  used: number
  /** The sequence of its last record. */
  last: number
}

/**
 * Where a commit is written first: one write into allocated space, one flush. LMDB takes over the records later, many at once. There are
 * two segments: one is written while LMDB takes over the other.
 */
export class Journal {
  readonly #segments: readonly Segment[]
  #current: Segment
  #settled: number

  /** Creates the journal in a folder that has none. LMDB has everything up to `settled`. */
  constructor(directory: string, settled: number) {
    this.#segments = segmentNames.map((name) => createSegment(join(directory, name)))
    flushFolder(directory)
    this.#current = this.#segments[0]!
    this.#settled = settled
  }

  /** Whether a record can be appended now, without waiting for LMDB. */
  hasRoom(bytes: number): boolean {
    return this.#fits(bytes) || this.#other.last <= this.#settled
  }

  /** Returns the slot of the next record of at most `bytes`; there must be room. Its content is kept until LMDB has it. */
  reserve(bytes: number): RecordSlot {
    if (!this.#fits(bytes)) {
      this.#current = this.#other
      this.#current.used = 0
    }
    return { buffer: this.#current.bytes, start: this.#current.used }
  }

  /** Appends the record from the reserved offset to `end`. Resolves when it is on disk. If that fails, the next record replaces it. */
  async append(end: number, sequence: number): Promise<void> {
    const { descriptor, bytes, used } = this.#current
    for (let at = used; at < end; ) at += (await writeAt(descriptor, bytes, at, end - at, at)).bytesWritten
    this.#current.used = end
    this.#current.last = sequence
  }

  /** Whether the files in the folder are still these: a process that takes over the store removes them first. */
  get isOurs(): boolean {
    const { path, inode } = this.#current
    return statSync(path, { throwIfNoEntry: false })?.ino === inode
  }

  settled(sequence: number): void {
    this.#settled = sequence
  }

  /** Removes the files. Call it when LMDB has everything. */
  remove(): void {
    this.close()
    for (const { path } of this.#segments) rmSync(path, { force: true })
  }

  close(): void {
    for (const { descriptor } of this.#segments) closeSync(descriptor)
  }

  get #other(): Segment {
    return this.#segments.find((segment) => segment !== this.#current)!
  }

  #fits(bytes: number): boolean {
    return this.#current.used + bytes <= segmentBytes
  }
}

/**
 * Creates a segment filled with zeros: overwriting is flushed much faster than appending. It is written page by page, because the system
 * later flushes what was written at once as a whole, however little of it has changed.
 */
function createSegment(path: string): Segment {
  const filling = openSync(path, 'wx', 0o600)
  try {
    const page = Buffer.alloc(4096)
    for (let at = 0; at < segmentBytes; at += page.length) writeSync(filling, page)
    fsyncSync(filling)
  } finally {
    closeSync(filling)
  }
  // With O_DSYNC each write returns only when its bytes are on disk: this is the flush of a commit.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_DSYNC)
  const bytes = Buffer.allocUnsafeSlow(segmentBytes)
  return { path, descriptor, inode: statSync(path).ino, bytes, used: 0, last: 0 }
}
