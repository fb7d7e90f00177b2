/**
 * The format of a snapshot file: a title line, records, then the SHA-256 of all of that. It has every current key with its revisions and
 * every lease, but no history. It does not depend on how a store encodes its data.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { UnusableStoreError } from '../../errors.js'
import type { LeaseId, StoreEntry } from '../../store.js'

const title = Buffer.from('proa snapshot 1\n')
const hashBytes = 32
const blockBytes = 1024 * 1024

/** The types of records: one `start`, the leases, the entries, one `end`. */
const kinds = { start: 1, lease: 2, entry: 3, end: 4 } as const

export type SnapshotRecord =
  | { readonly type: 'start'; readonly revision: number }
  | { readonly type: 'lease'; readonly id: LeaseId; readonly seconds: number }
  /** `index` is the index of the entry among the changes of its revision. */
  | { readonly type: 'entry'; readonly entry: StoreEntry; readonly index: number }
  | { readonly type: 'end' }

/** Writes a snapshot. It is complete and on disk when `finish` has returned. */
export class SnapshotWriter {
  readonly #descriptor: number
  readonly #hash: Hash = createHash('sha256')
  readonly #block = Buffer.allocUnsafeSlow(blockBytes)
  #used = 0

  constructor(path: string) {
    this.#descriptor = openSync(path, 'wx', 0o600)
    this.#write(title)
  }

  add(record: SnapshotRecord): void {
    const header = Buffer.alloc(5)
    const body = encode(record)
    const length = body.reduce((sum, part) => sum + part.length, 0)
    header[0] = kinds[record.type]
    header.writeUInt32LE(length, 1)
    for (const part of [header, ...body]) this.#write(part)
  }

  /** Returns the hash in hexadecimal digits. */
  finish(): string {
    this.#flush()
    const hash = this.#hash.digest()
    writeAll(this.#descriptor, hash)
    fsyncSync(this.#descriptor)
    this.close()
    return hash.toString('hex')
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > blockBytes) this.#flush()
    if (bytes.length > blockBytes) {
      this.#hash.update(bytes)
      writeAll(this.#descriptor, bytes)
    } else {
      this.#block.set(bytes, this.#used)
      this.#used += bytes.length
    }
  }

  #flush(): void {
    const block = this.#block.subarray(0, this.#used)
    this.#hash.update(block)
    writeAll(this.#descriptor, block)
    this.#used = 0
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

function encode(record: SnapshotRecord): Uint8Array[] {
  if (record.type === 'start') return [number(record.revision)]
  if (record.type === 'lease') return [number(record.seconds), Buffer.from(record.id)]
  if (record.type === 'end') return []
  const { key, value, modRevision, createRevision, version, lease } = record.entry
  const keyBytes = Buffer.from(key)
  const leaseBytes = Buffer.from(lease ?? '')
  const numbers = [modRevision, record.index, createRevision, version, keyBytes.length, leaseBytes.length].map(number)
  return [...numbers, keyBytes, leaseBytes, value]
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function decode(kind: number, body: Buffer): SnapshotRecord {
  const at = (index: number) => Number(body.readBigUInt64LE(index * 8))
  if (kind === kinds.start) return { type: 'start', revision: at(0) }
  if (kind === kinds.lease) return { type: 'lease', seconds: at(0), id: body.toString('utf8', 8) }
  if (kind === kinds.end) return { type: 'end' }
  const keyEnd = 48 + at(4)
  const leaseEnd = keyEnd + at(5)
  const lease = body.toString('utf8', keyEnd, leaseEnd)
  const entry: StoreEntry = {
    key: body.toString('utf8', 48, keyEnd),
    value: body.subarray(leaseEnd),
    modRevision: at(0),
    createRevision: at(2),
    version: at(3),
    ...(lease && { lease }),
  }
  return { type: 'entry', entry, index: at(1) }
}

/** Verifies a snapshot, and returns its size and its hash in hexadecimal digits. */
export function checkSnapshot(path: string): { readonly bytes: number; readonly hash: string } {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = fstatSync(descriptor).size
    const hash = createHash('sha256')
    const reader = new BlockReader(descriptor, bytes - hashBytes)
    if (!reader.read(title.length)?.equals(title))
      throw new UnusableStoreError(`${path} is no snapshot of a Proa store`)
    hash.update(title)
    for (let block = reader.readSome(); block; block = reader.readSome()) hash.update(block)
    const found = hash.digest()
    if (!readAt(descriptor, bytes - hashBytes, hashBytes).equals(found))
      throw new UnusableStoreError(`${path} is damaged or not complete: its hash is wrong`)
    return { bytes, hash: found.toString('hex') }
  } finally {
    closeSync(descriptor)
  }
}

/** Yields the records of a verified snapshot. A record is valid until the next one. */
export function* readSnapshot(path: string): Generator<SnapshotRecord> {
  const descriptor = openSync(path, 'r')
  try {
    const reader = new BlockReader(descriptor, fstatSync(descriptor).size - hashBytes)
    reader.read(title.length)
    for (let header = reader.read(5); header; header = reader.read(5)) {
      const kind = header[0]!
      const body = reader.read(header.readUInt32LE(1))
      if (body) yield decode(kind, body)
    }
  } finally {
    closeSync(descriptor)
  }
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, offset)
  return bytes
}

/** Reads a file up to `end`, in large blocks. */
class BlockReader {
  readonly #descriptor: number
  readonly #end: number
  #offset = 0

  constructor(descriptor: number, end: number) {
    this.#descriptor = descriptor
    this.#end = end
  }

  /** Returns `length` bytes, or undefined if there are fewer. */
  read(length: number): Buffer | undefined {
    if (this.#offset + length > this.#end) return undefined
    const bytes = readAt(this.#descriptor, this.#offset, length)
    this.#offset += length
    return bytes
  }

  readSome(): Buffer | undefined {
    const left = this.#end - this.#offset
    return left > 0 ? this.read(Math.min(left, blockBytes)) : undefined
  }
}
