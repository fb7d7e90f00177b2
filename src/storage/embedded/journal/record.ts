/**
 * A record of the journal: everything that one commit wrote. Numbers are little-endian.
 *
 *     length of what follows the checksum (4), checksum (4), sequence (6), counters (18), then five lists, each with its count (4):
 *     changes (position, length, bytes as in the log), swept positions, swept keys, granted leases, revoked leases, former leases
 */
import { crc32 } from 'node:zlib'
import type { Counters, KeyState, LoggedChange, WriteSet } from '../../engine/medium.js'
import type { LeaseId } from '../../store.js'
import { changeBytes, type LogPosition, positionEncoder, readChange, writeChange } from '../encoding.js'
import { copyAlone } from '../lmdb/value-copier.js'

const lengthBytes = 4
const headerBytes = 8
const sequenceBytes = 6

/** Where a record is written. */
export interface RecordSlot {
  readonly buffer: Buffer
  readonly start: number
}

export interface EncodedRecord {
  readonly end: number
  /** The bytes of each change within the record. */
  readonly changes: readonly Uint8Array[]
}

export function encodeJournalRecord(sequence: number, writes: WriteSet, slot: RecordSlot): EncodedRecord {
  const writer = new RecordWriter(slot)
  writer.number(sequence, sequenceBytes)
  for (const counter of ['revision', 'oldest', 'swept'] as const) writer.number(writes.counters[counter], 6)
  writer.number(writes.changes.length, 4)
  const changes = writes.changes.map((change) => writer.change(change))
  writer.list(writes.sweptChanges, (position) => writer.position(position))
  writer.list(writes.sweptKeys, (key) => writer.text(key))
  writer.list([...writes.grantedLeases], ([id, seconds]) => {
    writer.text(id)
    writer.number(seconds, 6)
  })
  writer.list([...writes.revokedLeases], (id) => writer.text(id))
  writer.list([...writes.previousLeases], ([key, id]) => {
    writer.text(key)
    writer.text(id)
  })
  return { end: writer.seal(), changes }
}

/** Returns the maximum size of a record. A UTF-16 unit takes at most three bytes in UTF-8. */
export function recordBytes(writes: WriteSet): number {
  const text = (value: string) => 4 + value.length * 3
  let bytes = headerBytes + sequenceBytes + 18 + 6 * 4 + writes.sweptChanges.length * 8
  for (const change of writes.changes) bytes += 12 + changeBytes(change)
  for (const key of writes.sweptKeys) bytes += text(key)
  for (const id of writes.grantedLeases.keys()) bytes += text(id) + 6
  for (const id of writes.revokedLeases) bytes += text(id)
  for (const [key, id] of writes.previousLeases) bytes += text(key) + text(id)
  return bytes
}

class RecordWriter {
  readonly #buffer: Buffer
  readonly #start: number
  #at: number

  constructor({ buffer, start }: RecordSlot) {
    this.#buffer = buffer
    this.#start = start
    this.#at = start + headerBytes
  }

  number(value: number, bytes: number): void {
    this.#at = this.#buffer.writeUIntLE(value, this.#at, bytes)
  }

  position(position: LogPosition): void {
    this.#at = positionEncoder.writeKey(position, this.#buffer, this.#at)
  }

  text(value: string): void {
    const length = this.#buffer.write(value, this.#at + 4, 'utf8')
    this.number(length, 4)
    this.#at += length
  }

  change(change: LoggedChange): Uint8Array {
    this.position({ revision: change.modRevision, index: change.index })
    const start = this.#at + 4
    const end = writeChange(change, this.#buffer, start)
    this.number(end - start, 4)
    this.#at = end
    return this.#buffer.subarray(start, end)
  }

  list<T>(items: readonly T[], write: (item: T) => void): void {
    this.number(items.length, 4)
    for (const item of items) write(item)
  }

  /** Completes the header, and returns the end. */
  seal(): number {
    const content = this.#buffer.subarray(this.#start + headerBytes, this.#at)
    this.#buffer.writeUInt32LE(content.length, this.#start)
    this.#buffer.writeUInt32LE(crc32(content), this.#start + lengthBytes)
    return this.#at
  }
}

export interface JournalRecord {
  readonly sequence: number
  readonly writes: WriteSet
  readonly changes: readonly Uint8Array[]
}

/** Returns the end of a record according to its header; undefined if there is no valid header. */
export function recordEnd(source: Buffer, start: number): number | undefined {
  if (start + headerBytes + sequenceBytes > source.length) return undefined
  const length = source.readUInt32LE(start)
  const end = start + headerBytes + length
  return length < sequenceBytes || end > source.length ? undefined : end
}

/** Returns the sequence of the record at `start` if it is complete. */
export function wholeSequence(source: Buffer, start: number): number | undefined {
  const end = recordEnd(source, start)
  if (end === undefined) return undefined
  const isWhole = crc32(source.subarray(start + headerBytes, end)) === source.readUInt32LE(start + lengthBytes)
  return isWhole ? source.readUIntLE(start + headerBytes, sequenceBytes) : undefined
}

/** Reads a complete record. */
export function readJournalRecord(source: Buffer, start: number): JournalRecord {
  const reader = new RecordReader(source, start + headerBytes)
  const sequence = reader.number(sequenceBytes)
  const counters: Counters = { revision: reader.number(6), oldest: reader.number(6), swept: reader.number(6) }
  const changes = reader.list(() => reader.change())
  const writes = {
    counters,
    changes: changes.map(({ change }) => change),
    states: new Map<string, KeyState>(changes.map(({ change }) => [change.key, change])),
    sweptChanges: reader.list(() => reader.position()),
    sweptKeys: reader.list(() => reader.text()),
    grantedLeases: new Map<LeaseId, number>(reader.list(() => [reader.text(), reader.number(6)])),
    revokedLeases: new Set<LeaseId>(reader.list(() => reader.text())),
    previousLeases: new Map<string, LeaseId>(reader.list(() => [reader.text(), reader.text()])),
  }
  return { sequence, writes, changes: changes.map(({ bytes }) => bytes) }
}

class RecordReader {
  readonly #buffer: Buffer
  #at: number

  constructor(buffer: Buffer, start: number) {
    this.#buffer = buffer
    this.#at = start
  }

  number(bytes: number): number {
    this.#at += bytes
    return this.#buffer.readUIntLE(this.#at - bytes, bytes)
  }

  position(): LogPosition {
    this.#at += 8
    return positionEncoder.readKey(this.#buffer, this.#at - 8)
  }

  text(): string {
    const length = this.number(4)
    this.#at += length
    return this.#buffer.toString('utf8', this.#at - length, this.#at)
  }

  change(): { readonly change: LoggedChange; readonly bytes: Buffer } {
    const position = this.position()
    const length = this.number(4)
    this.#at += length
    const bytes = this.#buffer.subarray(this.#at - length, this.#at)
    return { change: readChange(bytes, position, copyAlone), bytes }
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.number(4) }, read)
  }
}
