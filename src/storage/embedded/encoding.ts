/**
 * How the log, the keys and the counters are written. Numbers are little-endian; a revision has six bytes (at twenty thousand
 * writes a second that lasts for four hundred years), the index within a revision two.
 *
 *     log          position → flags, key length, create revision, version, previous position, lease, key, value
 *     keys         key      → position, create revision, version, and the lease where there is one
 *     leases       id       → seconds
 *     leased-keys  id key   → nothing
 *
 * Each value has its checksum in front. A position as a key is big-endian, so that the log is in the order of time.
 */
import type { Counters, KeyState, LoggedChange } from '../engine/medium.js'
import type { LeaseId, StoreEntry } from '../store.js'
import { checksumBytes, checksumOf, writeChecksum } from './checksum.js'

/** Increased when the format in this file changes. */
export const formatVersion = 1

/** Keys in LMDB's root besides the tables, and in the fence. */
export const formatName = 'format'
export const countersName = 'counters'
/** The sequence of the last journal record in LMDB. */
export const journalName = 'journal'
export const fenceName = 'holder'

/** Identifies a file of Proa. */
export const storeName = 'proa'

export interface LogPosition {
  revision: number
  index: number
}

const flagDeleted = 1
const flagLast = 2
const headerBytes = 36
const stateBytes = 24
const leasedStateBytes = 32

// Offsets of the fields in a change.
const flagsAt = checksumBytes
const keyLengthAt = 6
const createRevisionAt = 8
const versionAt = 14
const previousRevisionAt = 20
const previousIndexAt = 26
const leaseAt = 28

/** LMDB's hooks for keys: they write into its buffer, without an object in between. */
export const positionEncoder = {
  writeKey({ revision, index }: LogPosition, target: Buffer, start: number): number {
    target.writeUIntBE(revision, start, 6)
    target.writeUInt16BE(index, start + 6)
    return start + 8
  },
  readKey(source: Buffer, start: number): LogPosition {
    return { revision: source.readUIntBE(start, 6), index: source.readUInt16BE(start + 6) }
  },
}

export const textEncoder = {
  writeKey: (key: string, target: Buffer, start: number): number => start + target.write(key, start, 'utf8'),
  readKey: (source: Buffer, start: number, end: number): string => source.toString('utf8', start, end),
}

/** Returns the maximum size of a change. A UTF-16 unit takes at most three bytes in UTF-8. */
export function changeBytes({ key, entry }: LoggedChange): number {
  return headerBytes + key.length * 3 + (entry ? entry.value.length : 0)
}

/** Writes a change, and returns its end. */
export function writeChange(change: LoggedChange, target: Buffer, start: number): number {
  const { key, entry, lease } = change
  const keyLength = target.write(key, start + headerBytes, 'utf8')
  target[start + flagsAt] = (entry ? 0 : flagDeleted) | (change.last ? flagLast : 0)
  target[start + flagsAt + 1] = 0
  target.writeUInt16LE(keyLength, start + keyLengthAt)
  target.writeUIntLE(change.createRevision, start + createRevisionAt, 6)
  target.writeUIntLE(change.version, start + versionAt, 6)
  target.writeUIntLE(change.previousRevision, start + previousRevisionAt, 6)
  target.writeUInt16LE(change.previousIndex, start + previousIndexAt)
  if (lease === undefined) target.fill(0, start + leaseAt, start + headerBytes)
  else target.writeBigUInt64LE(BigInt(lease), start + leaseAt)
  let end = start + headerBytes + keyLength
  if (entry) {
    target.set(entry.value, end)
    end += entry.value.length
  }
  positionEncoder.writeKey({ revision: change.modRevision, index: change.index }, positionBytes, 0)
  writeChecksum(target, start, end, checksumOf(positionBytes))
  return end
}

const positionBytes = Buffer.alloc(8)

/** Copies a value out of the buffer that it was read into. */
export type CopyValue = (source: Buffer, start: number, end: number) => Uint8Array

export function readChange(source: Buffer, { revision, index }: LogPosition, keep: CopyValue): LoggedChange {
  const keyEnd = headerBytes + source.readUInt16LE(keyLengthAt)
  const key = source.toString('utf8', headerBytes, keyEnd)
  const flags = source[flagsAt]!
  const createRevision = source.readUIntLE(createRevisionAt, 6)
  const version = source.readUIntLE(versionAt, 6)
  const lease = readLease(source, leaseAt)
  const state = { modRevision: revision, index, createRevision, version, lease }
  return {
    key,
    entry: flags & flagDeleted ? undefined : makeEntry(key, keep(source, keyEnd, source.length), state),
    ...state,
    previousRevision: source.readUIntLE(previousRevisionAt, 6),
    previousIndex: source.readUInt16LE(previousIndexAt),
    last: (flags & flagLast) !== 0,
  }
}

function makeEntry(
  key: string,
  value: Uint8Array,
  { modRevision, createRevision, version, lease }: Omit<KeyState, 'index'>,
): StoreEntry {
  if (lease === undefined) return { key, value, modRevision, createRevision, version }
  return { key, value, modRevision, createRevision, version, lease }
}

/** Reads the entry of a key whose state is known: only the value is missing. */
export function readEntry(source: Buffer, key: string, state: KeyState, keep: CopyValue): StoreEntry {
  return makeEntry(key, keep(source, headerBytes + source.readUInt16LE(keyLengthAt), source.length), state)
}

export const stateBytesAtMost = leasedStateBytes

export function writeState(key: string, state: KeyState, target: Buffer, start: number): number {
  target.writeUIntLE(state.modRevision, start + 4, 6)
  target.writeUInt16LE(state.index, start + 10)
  target.writeUIntLE(state.createRevision, start + 12, 6)
  target.writeUIntLE(state.version, start + 18, 6)
  if (state.lease !== undefined) target.writeBigUInt64LE(BigInt(state.lease), start + stateBytes)
  const end = start + (state.lease === undefined ? stateBytes : leasedStateBytes)
  writeChecksum(target, start, end, checksumOf(key))
  return end
}

export function readState(source: Buffer): KeyState {
  return {
    modRevision: source.readUIntLE(4, 6),
    index: source.readUInt16LE(10),
    createRevision: source.readUIntLE(12, 6),
    version: source.readUIntLE(18, 6),
    lease: source.length === stateBytes ? undefined : readLease(source, stateBytes),
  }
}

function readLease(source: Buffer, start: number): LeaseId | undefined {
  if (source.readUInt32LE(start) === 0 && source.readUInt32LE(start + 4) === 0) return undefined
  return source.readBigUInt64LE(start).toString()
}

export function writeCounters({ revision, oldest, swept }: Counters): Buffer {
  const target = Buffer.alloc(22)
  target.writeUIntLE(revision, 4, 6)
  target.writeUIntLE(oldest, 10, 6)
  target.writeUIntLE(swept, 16, 6)
  writeChecksum(target, 0, target.length, checksumOf(countersName))
  return target
}

export function readCounters(source: Buffer): Counters {
  return { revision: source.readUIntLE(4, 6), oldest: source.readUIntLE(10, 6), swept: source.readUIntLE(16, 6) }
}

export function writeSequence(sequence: number): Buffer {
  const target = Buffer.alloc(checksumBytes + 6)
  target.writeUIntLE(sequence, checksumBytes, 6)
  writeChecksum(target, 0, target.length, checksumOf(journalName))
  return target
}

/** 0 for a store that never had a journal. */
export function readSequence(source: Buffer | undefined): number {
  return source ? source.readUIntLE(checksumBytes, 6) : 0
}

export function writeLease(id: LeaseId, seconds: number): Buffer {
  const target = Buffer.alloc(12)
  target.writeBigUInt64LE(BigInt(seconds), 4)
  writeChecksum(target, 0, target.length, checksumOf(id))
  return target
}

export function readLeaseSeconds(source: Buffer): number {
  return Number(source.readBigUInt64LE(4))
}

/** Returns the key of a leased key in the table of leased keys. */
export function leasedName(id: LeaseId, key: string): string {
  return `${id} ${key}`
}

export function writeLeased(name: string): Buffer {
  const target = Buffer.alloc(checksumBytes)
  writeChecksum(target, 0, target.length, checksumOf(name))
  return target
}

export function writeFormat(): Buffer {
  return Buffer.from(JSON.stringify({ store: storeName, version: formatVersion }))
}
