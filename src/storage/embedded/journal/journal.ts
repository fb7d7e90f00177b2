import { closeSync, constants, fsyncSync, openSync, rmSync, statSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { flushFolder } from '../store-folder.js'
import type { RecordSlot } from './record.js'

const writeAt = promisify(write)

/** A record that is longer than this is not for the journal. */
export const segmentBytes = 2 * 1024 * 1024

export const segmentNames = ['journal-0', 'journal-1'] as const

interface Segment {
  readonly path: string
  readonly descriptor: number
  readonly inode: number
  /** What is in the file, for LMDB to take: each record is made here, in its place. */
  readonly bytes: Buffer
  used: number
  /** The sequence of its last record. */
  last: number
}

/**
 * Where a commit is written down first: one write into space that the disk has already set aside, one flush. LMDB takes over what is in here
 * a little later, much of it at once. Two segments take turns: one is written while LMDB settles what is in the other.
 */
export class Journal {
  readonly #segments: readonly Segment[]
  #current: Segment
  #settled: number

  /** In a folder that has none. What LMDB has already goes up to `settled`. */
  constructor(directory: string, settled: number) {
    this.#segments = segmentNames.map((name) => createSegment(join(directory, name)))
    flushFolder(directory)
    this.#current = this.#segments[0]!
    this.#settled = settled
  }

  /** Whether a record can be appended now, and not only when LMDB has settled more. */
  hasRoom(bytes: number): boolean {
    return this.#fits(bytes) || this.#other.last <= this.#settled
  }

  /** The place of the next record, which has at most so many bytes; there must be room. What is written there stays until it is settled. */
  reserve(bytes: number): RecordSlot {
    if (!this.#fits(bytes)) {
      this.#current = this.#other
      this.#current.used = 0
    }
    return { buffer: this.#current.bytes, start: this.#current.used }
  }

  /** Takes the record that was written from the reserved place up to `end`: resolves when it is on disk. Where that fails, the next takes its place. */
  async append(end: number, sequence: number): Promise<void> {
    const { descriptor, bytes, used } = this.#current
    for (let at = used; at < end; ) at += (await writeAt(descriptor, bytes, at, end - at, at)).bytesWritten
    this.#current.used = end
    this.#current.last = sequence
  }

  /** Whether the files in the folder are still these: whoever takes the store over begins by taking them away. */
  get isOurs(): boolean {
    const { path, inode } = this.#current
    return statSync(path, { throwIfNoEntry: false })?.ino === inode
  }

  settled(sequence: number): void {
    this.#settled = sequence
  }

  /** To be called when LMDB has everything. */
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
 * Filled with zeros once: writing over what is there already is flushed in a fraction of the time that growing takes. Page by page: what the
 * system takes in one piece, it later writes to disk in one piece, whatever small part of it has changed.
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
  const descriptor = openSync(path, constants.O_RDWR | constants.O_DSYNC)
  const bytes = Buffer.allocUnsafeSlow(segmentBytes)
  return { path, descriptor, inode: statSync(path).ino, bytes, used: 0, last: 0 }
}
