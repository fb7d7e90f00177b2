/**
 * How the log, the keys and the counters are written. Numbers are little-endian; a revision has six bytes (at twenty thousand
 * writes a second that lasts for four hundred years), the place within a revision two.
 *
 *     log    position → flags, key length, create revision, version, previous position, lease, key, value
 *     keys   key      → position, create revision, version, and the lease where there is one
 *
 * A position as a key is big-endian, so that the log is in the order of time.
 */
import type { Change, Counters, KeyState } from '../engine/medium.js'
import type { Entry, LeaseId } from '../store.js'

/** Counted up whenever anything in this file changes its meaning. */
export const formatVersion = 1

/** What stands in LMDB's root besides the tables, and in the fence. */
export const formatName = 'format'
export const countersName = 'counters'
export const fenceName = 'holder'

/** By this we know a file of ours. */
export const storeName = 'proa'

export interface Position {
  revision: number
  index: number
}

const flagDeleted = 1
const flagLast = 2
const headerBytes = 34
const stateBytes = 20
const leasedStateBytes = 28

/** LMDB's own hooks for keys: they write straight into its buffer, without an object in between. */
export const positionEncoder = {
  writeKey({ revision, index }: Position, target: Buffer, start: number): number {
    target.writeUIntBE(revision, start, 6)
    target.writeUInt16BE(index, start + 6)
    return start + 8
  },
  readKey(source: Buffer, start: number): Position {
    return { revision: source.readUIntBE(start, 6), index: source.readUInt16BE(start + 6) }
  },
}

export const textEncoder = {
  writeKey: (key: string, target: Buffer, start: number): number => start + target.write(key, start, 'utf8'),
  readKey: (source: Buffer, start: number, end: number): string => source.toString('utf8', start, end),
}

/** The most that a change takes. A UTF-16 unit has at most three bytes in UTF-8. */
export function changeBytes({ key, entry }: Change): number {
  return headerBytes + key.length * 3 + (entry ? entry.value.length : 0)
}

/** Writes a change, and gives the end of it. */
export function writeChange(change: Change, target: Buffer, start: number): number {
  const { key, entry, createRevision, version, previousRevision, previousIndex, lease } = change
  const keyLength = target.write(key, start + headerBytes, 'utf8')
  target[start] = (entry ? 0 : flagDeleted) | (change.last ? flagLast : 0)
  target[start + 1] = 0
  target.writeUInt16LE(keyLength, start + 2)
  target.writeUIntLE(createRevision, start + 4, 6)
  target.writeUIntLE(version, start + 10, 6)
  target.writeUIntLE(previousRevision, start + 16, 6)
  target.writeUInt16LE(previousIndex, start + 22)
  target.writeUInt16LE(0, start + 24)
  target.writeBigUInt64LE(lease === undefined ? 0n : BigInt(lease), start + 26)
  const end = start + headerBytes + keyLength
  if (!entry) return end
  target.set(entry.value, end)
  return end + entry.value.length
}

/** Where the bytes of a value go that must outlive the buffer they were read into. */
export type KeepValue = (source: Buffer, start: number, end: number) => Uint8Array

export function readChange(source: Buffer, { revision, index }: Position, keep: KeepValue): Change {
  const keyEnd = headerBytes + source.readUInt16LE(2)
  const key = source.toString('utf8', headerBytes, keyEnd)
  const flags = source[0]!
  const createRevision = source.readUIntLE(4, 6)
  const version = source.readUIntLE(10, 6)
  const lease = readLease(source, 26)
  const deleted = (flags & flagDeleted) !== 0
  return {
    key,
    entry: deleted
      ? undefined
      : makeEntry(key, keep(source, keyEnd, source.length), { modRevision: revision, createRevision, version, lease }),
    modRevision: revision,
    index,
    createRevision,
    version,
    lease,
    previousRevision: source.readUIntLE(16, 6),
    previousIndex: source.readUInt16LE(22),
    last: (flags & flagLast) !== 0,
  }
}

function makeEntry(
  key: string,
  value: Uint8Array,
  { modRevision, createRevision, version, lease }: Omit<KeyState, 'index'>,
): Entry {
  if (lease === undefined) return { key, value, modRevision, createRevision, version }
  return { key, value, modRevision, createRevision, version, lease }
}

/** The entry of a key whose state is known: only the value is still missing. */
export function readEntry(source: Buffer, key: string, state: KeyState, keep: KeepValue): Entry {
  return makeEntry(key, keep(source, headerBytes + source.readUInt16LE(2), source.length), state)
}

export const stateBytesAtMost = leasedStateBytes

export function writeState(state: KeyState, target: Buffer, start: number): number {
  target.writeUIntLE(state.modRevision, start, 6)
  target.writeUInt16LE(state.index, start + 6)
  target.writeUIntLE(state.createRevision, start + 8, 6)
  target.writeUIntLE(state.version, start + 14, 6)
  if (state.lease === undefined) return start + stateBytes
  target.writeBigUInt64LE(BigInt(state.lease), start + stateBytes)
  return start + leasedStateBytes
}

export function readState(source: Buffer): KeyState {
  return {
    modRevision: source.readUIntLE(0, 6),
    index: source.readUInt16LE(6),
    createRevision: source.readUIntLE(8, 6),
    version: source.readUIntLE(14, 6),
    lease: source.length === stateBytes ? undefined : readLease(source, stateBytes),
  }
}

function readLease(source: Buffer, start: number): LeaseId | undefined {
  if (source.readUInt32LE(start) === 0 && source.readUInt32LE(start + 4) === 0) return undefined
  return source.readBigUInt64LE(start).toString()
}

export function writeCounters({ revision, oldest, swept }: Counters): Buffer {
  const target = Buffer.alloc(18)
  target.writeUIntLE(revision, 0, 6)
  target.writeUIntLE(oldest, 6, 6)
  target.writeUIntLE(swept, 12, 6)
  return target
}

export function readCounters(source: Buffer): Counters {
  return { revision: source.readUIntLE(0, 6), oldest: source.readUIntLE(6, 6), swept: source.readUIntLE(12, 6) }
}

export function writeFormat(): Buffer {
  return Buffer.from(JSON.stringify({ store: storeName, version: formatVersion }))
}
