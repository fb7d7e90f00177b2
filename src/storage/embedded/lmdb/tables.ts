/** LMDB as this engine uses it: the options that matter, the five tables, and types for what LMDB's own leave out. */
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

/** A read transaction, counted: the last `done` ends it. */
export interface ReadTransaction {
  use(): void
  done(): void
}

export interface WithinTransaction {
  readonly transaction: ReadTransaction
}

/** One table: bytes under keys of one kind. What is read from it may have been made into something else at once. */
export interface LmdbTable<Key, Value = Buffer> {
  get(key: Key, options: WithinTransaction): Value | undefined
  /** The bytes in a buffer that the next read overwrites; its `length` is theirs. */
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

/** A table whose entries carry a number; writes can depend on that number being unchanged. */
export interface FenceTable {
  getEntry(key: string): { readonly version: number } | undefined
  put(key: string, value: Uint8Array, version: number): unknown
  ifVersion(key: string, version: number, write: () => void): Promise<boolean>
}

export interface LmdbTables {
  /** What the store is: its format, and the counters. Kept in LMDB's root, whose page every commit writes anyway. */
  readonly root: LmdbTable<string> & {
    useReadTransaction(): ReadTransaction
    resetReadTxn(): void
    transactionSync(write: () => void): void
    close(): Promise<void>
  }
  readonly log: LmdbTable<LogPosition>
  readonly keys: LmdbTable<string, KeyState>
  /** Lease id → seconds, eight bytes. */
  readonly leases: LmdbTable<string>
  /** `id key` → nothing: which keys are under a lease. */
  readonly leasedKeys: LmdbTable<string>
  readonly fence: FenceTable
}

/**
 * Measured against 8 and 16 KiB: no slower, less to write for a single small change, and objects of the usual two to ten
 * kilobytes, which have pages of their own here, leave the least unused.
 */
const pageSize = 4096

/** How much of the address space is set aside at first; LMDB takes more when the file grows beyond it. */
const defaultMapSize = 16 * 1024 ** 3

const text = { encoding: 'binary', keyEncoder: textEncoder } as const

/** The one table whose values are LMDB's own. */
export const fenceTable = 'fence'

/** States are read straight from LMDB's buffer. */
const stateEncoder = { encode: (bytes: Uint8Array) => bytes, decode: readState }

export interface OpenTablesOptions {
  /** There is nothing in the folder yet. */
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
    // A reader maps what there is; a writer leaves room.
    ...(readOnly ? {} : { mapSize }),
    // With this on, LMDB would show a commit before it is on disk, and a crash could take back what was seen.
    overlappingSync: false,
    // Batches are made above, by the commit queue.
    eventTurnBatching: false,
    // Each range that takes several turns may read as of a commit of its own.
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

/** Written before any table is made: a file that has tables, but not this, is not ours. */
function writeBeginning(root: LmdbTables['root']): void {
  root.transactionSync(() => {
    root.put(formatName, writeFormat())
    root.put(countersName, writeCounters({ revision: 1, oldest: 1, swept: 1 }))
  })
}
