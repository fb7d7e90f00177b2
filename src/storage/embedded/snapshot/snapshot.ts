import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { systemClock } from '../../../base/clock.js'
import { UnusableStoreError } from '../../errors.js'
import type { LeaseId } from '../../store.js'
import { countersName, journalName, readCounters, readLeaseSeconds, readSequence } from '../encoding.js'
import { FolderLock } from '../folder-lock.js'
import { type Delta, deltaFrom } from '../journal/delta.js'
import { OverlayView } from '../journal/overlay-view.js'
import type { JournalRecord } from '../journal/record.js'
import { readLiveJournal } from '../journal/recovery.js'
import { LmdbView } from '../lmdb/lmdb-view.js'
import { type LmdbTables, openTables, type ReadTransaction } from '../lmdb/tables.js'
import { checkData } from '../open-medium.js'
import { createPrivateFolder, dataFile, flushFolder } from '../store-folder.js'
import { restoreInto } from './restore.js'
import { checkSnapshot, readSnapshot, SnapshotWriter } from './snapshot-file.js'

export interface SnapshotStatus {
  readonly revision: number
  readonly keys: number
  readonly leases: number
  readonly bytes: number
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string
}

/**
 * Writes all current data of a store to a file. Another process may be using the store: LMDB gives readers a stable view, and the journal
 * is read as well. The file appears under its name only when it is complete.
 */
export async function saveSnapshot(directory: string, file: string): Promise<SnapshotStatus> {
  await checkStore(directory)
  const part = `${file}.part`
  rmSync(part, { force: true })
  const writer = new SnapshotWriter(part)
  const tables = openTables(directory, { readOnly: true })
  try {
    copyAll(directory, tables, writer)
    writer.finish()
  } catch (error) {
    writer.close()
    rmSync(part, { force: true })
    throw error
  } finally {
    await tables.root.close()
  }
  renameSync(part, file)
  flushFolder(dirname(resolve(file)))
  return snapshotStatus(file)
}

/** Checks a store that is not in use before it is copied. One that is in use was checked when it was opened. */
async function checkStore(directory: string): Promise<void> {
  const data = join(directory, dataFile)
  if (!existsSync(data)) throw new UnusableStoreError(`there is no store in ${directory}`)
  let holder: FolderLock
  try {
    holder = await FolderLock.acquire(directory, systemClock)
  } catch (error) {
    if (error instanceof UnusableStoreError) return
    throw error
  }
  try {
    if (checkData(data)) throw new UnusableStoreError(`the store in ${directory} is empty`)
  } finally {
    await holder.release()
  }
}

/** Another process may overwrite its journal while it is read here: then it is read again, up to this many times. */
const attempts = 20

function copyAll(directory: string, tables: LmdbTables, writer: SnapshotWriter): void {
  for (let attempt = 1; ; attempt++) {
    const transaction = tables.root.useReadTransaction()
    try {
      const records = readLiveJournal(directory, readSequence(tables.root.getBinaryFast(journalName, { transaction })))
      copy({ tables, transaction, records }, writer)
      return
    } catch (error) {
      if (attempt === attempts || !(error instanceof UnusableStoreError)) throw error
    } finally {
      transaction.done()
      tables.root.resetReadTxn()
    }
  }
}

interface Source {
  readonly tables: LmdbTables
  readonly transaction: ReadTransaction
  /** The records that LMDB does not have yet. */
  readonly records: readonly JournalRecord[]
}

function copy({ tables, transaction, records }: Source, writer: SnapshotWriter): void {
  const delta = deltaFrom(records)
  const view = new OverlayView([delta], new LmdbView(tables, transaction))
  const counters = readCounters(tables.root.getBinaryFast(countersName, { transaction })!)
  writer.add({ type: 'start', revision: (records.at(-1)?.writes.counters ?? counters).revision })
  for (const [id, seconds] of leasesOf(tables, transaction, delta)) writer.add({ type: 'lease', id, seconds })
  view.visitKeys('', undefined, (key, state) => {
    const entry = state.version > 0 ? view.entry(key, state) : undefined
    if (entry) writer.add({ type: 'entry', entry, index: state.index })
    return true
  })
  writer.add({ type: 'end' })
}

function leasesOf(tables: LmdbTables, transaction: ReadTransaction, delta: Delta): ReadonlyMap<LeaseId, number> {
  const leases = new Map<LeaseId, number>()
  for (const { key: id, value } of tables.leases.getRange({ start: '0', transaction }))
    leases.set(id, readLeaseSeconds(value))
  for (const [id, seconds] of delta.leases)
    if (seconds === undefined) leases.delete(id)
    else leases.set(id, seconds)
  return leases
}

/**
 * Creates a store from a snapshot, in an empty folder. Its revision is one higher than that of the snapshot: its history starts there, and
 * clients cannot mistake it for the original store.
 */
export async function restoreSnapshot(file: string, directory: string): Promise<SnapshotStatus> {
  const status = snapshotStatus(file)
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UnusableStoreError(`${directory} is not empty; a snapshot is restored only where no store is`)
  const parent = dirname(resolve(directory))
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const part = join(parent, `.${basename(directory)}.restoring`)
  rmSync(part, { recursive: true, force: true })
  createPrivateFolder(part)
  try {
    await restoreInto(part, readSnapshot(file))
    renameSync(part, directory)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw error
  }
  flushFolder(parent)
  return status
}

export function snapshotStatus(file: string): SnapshotStatus {
  const { bytes, hash } = checkSnapshot(file)
  let revision = 0
  let keys = 0
  let leases = 0
  let complete = false
  for (const record of readSnapshot(file)) {
    if (record.type === 'start') revision = record.revision
    else if (record.type === 'entry') keys++
    else if (record.type === 'lease') leases++
    else complete = true
  }
  if (!complete) throw new UnusableStoreError(`${file} is not complete`)
  return { revision, keys, leases, bytes, hash }
}
