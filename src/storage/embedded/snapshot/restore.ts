import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { LoggedChange } from '../../engine/medium.js'
import type { StoreEntry } from '../../store.js'
import {
  changeBytes,
  countersName,
  leasedName,
  stateBytesAtMost,
  writeChange,
  writeCounters,
  writeLease,
  writeLeased,
  writeState,
} from '../encoding.js'
import { type LmdbTables, openTables } from '../lmdb/tables.js'
import { dataFile, lockFile } from '../store-folder.js'
import type { SnapshotRecord } from './snapshot-file.js'

/** The size of one transaction. */
const transactionBytes = 16 * 1024 * 1024

/** Fills an empty folder with the records of a snapshot. */
export async function restoreInto(directory: string, records: Iterator<SnapshotRecord>): Promise<void> {
  const tables = openTables(directory, { isNew: true })
  try {
    while (restoreSome(tables, records));
  } finally {
    await tables.root.close()
  }
  for (const file of [dataFile, lockFile]) chmodSync(join(directory, file), 0o600)
}

/** Writes some records in one transaction. Returns whether there are more. */
function restoreSome(tables: LmdbTables, records: Iterator<SnapshotRecord>): boolean {
  let bytes = 0
  let more = true
  tables.root.transactionSync(() => {
    while (more && bytes < transactionBytes) {
      const next = records.next()
      if (next.done) more = false
      else bytes += restoreRecord(tables, next.value)
    }
  })
  return more
}

function restoreRecord(tables: LmdbTables, record: SnapshotRecord): number {
  if (record.type === 'entry') return restoreEntry(tables, record.entry, record.index)
  if (record.type === 'lease') tables.leases.put(record.id, writeLease(record.id, record.seconds))
  if (record.type === 'start') {
    const revision = record.revision + 1
    tables.root.put(countersName, writeCounters({ revision, oldest: revision, swept: revision }))
  }
  return 0
}

function restoreEntry({ log, keys, leasedKeys }: LmdbTables, entry: StoreEntry, index: number): number {
  const { key, modRevision, createRevision, version, lease } = entry
  const state = { modRevision, index, createRevision, version, lease }
  const change: LoggedChange = { key, entry, ...state, previousRevision: 0, previousIndex: 0, last: false }
  const bytes = Buffer.allocUnsafe(changeBytes(change) + stateBytesAtMost)
  const changeEnd = writeChange(change, bytes, 0)
  const stateEnd = writeState(key, state, bytes, changeEnd)
  log.put({ revision: modRevision, index }, bytes.subarray(0, changeEnd))
  keys.put(key, bytes.subarray(changeEnd, stateEnd))
  if (lease !== undefined) {
    const name = leasedName(lease, key)
    leasedKeys.put(name, writeLeased(name))
  }
  return stateEnd
}
