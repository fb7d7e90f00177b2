/** LMDB as this engine uses it: its options, the five tables, and types that LMDB's own declarations lack. */
import { open } from 'lmdb'
import type { KeyState } from '../../engine/medium.js'
import {
  countersName,
  formatName,
  type LogPosition,
  positionEncoder,
  readState,
  textEncoder,
  writeCounters,
  writeFormat,
} from '../encoding.js'

/** A read transaction with a reference count: the last `done` ends it. */
export interface ReadTransaction {
  use(): void
  done(): void
}

export interface WithinTransaction {
  readonly transaction: ReadTransaction
}

/** One table: bytes by keys of one type. An encoder may decode values when they are read. */
export interface LmdbTable<Key, Value = Buffer> {
  get(key: Key, options: WithinTransaction): Value | undefined
  /** Returns the bytes in a buffer that the next read overwrites; its `length` is that of the value. */
  getBinaryFast(key: Key, options: WithinTransaction): Buffer | undefined
  getRange(options: KeyRangeOptions<Key> & WithinTransaction): Iterable<{ readonly key: Key; readonly value: Value }>
  put(key: Key, value: Uint8Array): unknown
  remove(key: Key): unknown
}

export interface KeyRangeOptions<Key> {
  readonly start: Key
  readonly exclusiveStart?: boolean
  readonly end?: Key
}

/** A table whose entries have a version. Writes can require that it is unchanged. */
export interface FenceTable {
  getEntry(key: string): { readonly version: number } | undefined
  put(key: string, value: Uint8Array, version: number): unknown
  ifVersion(key: string, version: number, write: () => void): Promise<boolean>
}

export interface LmdbTables {
  /** The format and the counters of the store. In LMDB's root, whose page every commit writes anyway. */
  readonly root: LmdbTable<string> & {
    useReadTransaction(): ReadTransaction
    resetReadTxn(): void
    transactionSync(write: () => void): void
    close(): Promise<void>
  }
  readonly log: LmdbTable<LogPosition>
  readonly keys: LmdbTable<string, KeyState>
  /** Lease id to seconds, eight bytes. */
  readonly leases: LmdbTable<string>
  /** `id key` to nothing: the keys of each lease. */
  readonly leasedKeys: LmdbTable<string>
  readonly fence: FenceTable
}

/**
 * Measured against 8 and 16 KiB: no slower, less to write for a small change, and the least waste for objects of two to ten kilobytes,
 * which have their own pages.
 */
const pageSize = 4096

/** The initial size of the memory map. LMDB enlarges it with the file. */
const defaultMapSize = 16 * 1024 ** 3

const text = { encoding: 'binary', keyEncoder: textEncoder } as const

/** The only table whose values LMDB encodes. */
export const fenceTable = 'fence'

/** States are decoded directly from LMDB's buffer. */
const stateEncoder = { encode: (bytes: Uint8Array) => bytes, decode: readState }

export interface OpenTablesOptions {
  /** The folder is empty. */
  readonly isNew?: boolean
  readonly readOnly?: boolean
  readonly mapSize?: number
}

export function openTables(directory: string, options: OpenTablesOptions = {}): LmdbTables {
  const { isNew = false, readOnly = false, mapSize = defaultMapSize } = options
  const root = open({
    path: directory,
    noSubdir: false,
    readOnly,
    ...text,
    pageSize,
    // A reader maps the existing file; a writer reserves room.
    ...(readOnly ? {} : { mapSize }),
    // If it were on, LMDB would show a commit before it is on disk, and a crash could undo what was seen.
    overlappingSync: false,
    // The commit queue makes batches.
    eventTurnBatching: false,
    // Each range that yields to the event loop may read at a commit of its own.
    maxReaders: 1000,
  })
  if (isNew) writeBeginning(root as unknown as LmdbTables['root'])
  const table = (name: string, tableOptions: object): unknown => root.openDB(name, tableOptions)
  return {
    root,
    log: table('log', { encoding: 'binary', keyEncoder: positionEncoder }),
    keys: table('keys', { ...text, encoder: stateEncoder }),
    leases: table('leases', text),
    leasedKeys: table('leased-keys', text),
    fence: table(fenceTable, { ...text, useVersions: true }),
  } as unknown as LmdbTables
}

/** Written before any table is created: a file that has tables but not this is not a store of Proa. */
function writeBeginning(root: LmdbTables['root']): void {
  root.transactionSync(() => {
    root.put(formatName, writeFormat())
    root.put(countersName, writeCounters({ revision: 1, oldest: 1, swept: 1 }))
  })
}
