/** LMDB as this engine uses it: the options that matter, the five tables, and types for what LMDB's own leave out. */
import { open } from 'lmdb'
import type { KeyState } from '../engine/medium.js'
import { type Position, positionEncoder, readState, textEncoder } from './encoding.js'

/** A read transaction, counted: the last `done` ends it. */
export interface Transaction {
  use(): void
  done(): void
}

export interface ReadInside {
  readonly transaction: Transaction
}

/** One table: bytes under keys of one kind. What is read from it may have been made into something else at once. */
export interface Table<Key, Value = Buffer> {
  get(key: Key, options: ReadInside): Value | undefined
  /** The bytes in a buffer that the next read overwrites; its `length` is theirs. */
  getBinaryFast(key: Key, options: ReadInside): Buffer | undefined
  getRange(options: RangeOptions<Key> & ReadInside): Iterable<{ readonly key: Key; readonly value: Value }>
  put(key: Key, value: Uint8Array): unknown
  remove(key: Key): unknown
}

export interface RangeOptions<Key> {
  readonly start: Key
  readonly exclusiveStart?: boolean
  readonly end?: Key
}

/** A table whose entries carry a number; writes can depend on that number being unchanged. */
export interface FenceTable {
  getEntry(key: string): { readonly version: number } | undefined
  put(key: string, value: Uint8Array, version: number): unknown
  ifVersion(key: string, version: number, write: () => void): Promise<boolean>
}

export interface Tables {
  /** What the store is: its format, and the counters. Kept in LMDB's root, whose page every commit writes anyway. */
  readonly root: Table<string> & {
    useReadTransaction(): Transaction
    resetReadTxn(): void
    transactionSync(write: () => void): void
    close(): Promise<void>
  }
  readonly log: Table<Position>
  readonly keys: Table<string, KeyState>
  /** Lease id → seconds, eight bytes. */
  readonly leases: Table<string>
  /** `id key` → nothing: which keys are under a lease. */
  readonly leasedKeys: Table<string>
  readonly fence: FenceTable
}

/** Larger than LMDB's own: values of two kilobytes then stand in their pages by threes, where smaller pages hold one each. */
const pageSize = 4096

/** How much of the address space is set aside at first; LMDB takes more when the file grows beyond it. */
const mapSize = 16 * 1024 ** 3

const text = { encoding: 'binary', keyEncoder: textEncoder } as const

/** States are read straight from LMDB's buffer. */
const stateEncoder = { encode: (bytes: Uint8Array) => bytes, decode: readState }

export function openTables(directory: string, { readOnly = false } = {}): Tables {
  const root = open({
    path: directory,
    noSubdir: false,
    readOnly,
    ...text,
    pageSize,
    // A reader maps what there is; a writer leaves room.
    ...(readOnly ? {} : { mapSize }),
    // With this on, LMDB would show a commit before it is on disk, and a crash could take back what was seen.
    overlappingSync: false,
    // Batches are made above, by the commit queue.
    eventTurnBatching: false,
    maxReaders: 126,
  })
  const table = (name: string, options: object): unknown => root.openDB(name, options)
  return {
    root,
    log: table('log', { encoding: 'binary', keyEncoder: positionEncoder }),
    keys: table('keys', { ...text, encoder: stateEncoder }),
    leases: table('leases', text),
    leasedKeys: table('leased-keys', text),
    fence: table('fence', { ...text, useVersions: true }),
  } as unknown as Tables
}
