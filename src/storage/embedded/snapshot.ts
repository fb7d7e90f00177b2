import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { systemClock } from '../../base/clock.js'
import type { Counters } from '../engine/medium.js'
import { UnusableStoreError } from '../errors.js'
import { countersName, readCounters, readLeaseSeconds } from './encoding.js'
import { Holder } from './holder.js'
import { LmdbView } from './lmdb-view.js'
import { checkData, dataFile, makePrivate } from './open-medium.js'
import { restoreInto } from './restore.js'
import { checkSnapshot, readSnapshot, SnapshotWriter } from './snapshot-file.js'
import { openTables, type Tables } from './tables.js'

export interface SnapshotStatus {
  readonly revision: number
  readonly keys: number
  readonly leases: number
  readonly bytes: number
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string
}

/**
 * Writes everything that a store has at this moment into a file. The store may be in use by another process, which does not
 * notice: LMDB gives its readers a view that stays as it is. The file appears under its name only when it is complete.
 */
export async function saveSnapshot(directory: string, file: string): Promise<SnapshotStatus> {
  await checkStore(directory)
  const part = `${file}.part`
  rmSync(part, { force: true })
  const writer = new SnapshotWriter(part)
  const tables = openTables(directory, { readOnly: true })
  try {
    copyAll(tables, writer)
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

/** A store that is not in use is looked through before it is copied; one that is in use was when it was opened. */
async function checkStore(directory: string): Promise<void> {
  const data = join(directory, dataFile)
  if (!existsSync(data)) throw new UnusableStoreError(`there is no store in ${directory}`)
  let holder: Holder
  try {
    holder = await Holder.take(directory, systemClock)
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

function copyAll(tables: Tables, writer: SnapshotWriter): void {
  const transaction = tables.root.useReadTransaction()
  const view = new LmdbView(tables, transaction)
  const { revision }: Counters = readCounters(tables.root.getBinaryFast(countersName, { transaction })!)
  writer.add({ type: 'start', revision })
  for (const { key: id, value } of tables.leases.getRange({ start: '0', transaction }))
    writer.add({ type: 'lease', id, seconds: readLeaseSeconds(value) })
  view.visitKeys('', undefined, (key, state) => {
    const entry = state.version > 0 ? view.entry(key, state) : undefined
    if (entry) writer.add({ type: 'entry', entry, index: state.index })
    return true
  })
  writer.add({ type: 'end' })
  transaction.done()
}

/**
 * Makes a store from a snapshot, in a folder that has none. The restored store is one revision further than the snapshot: its
 * history begins there, and nobody can mistake it for the store that went on without it.
 */
export async function restoreSnapshot(file: string, directory: string): Promise<SnapshotStatus> {
  const status = snapshotStatus(file)
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UnusableStoreError(`${directory} is not empty; a snapshot is restored only where no store is`)
  const parent = dirname(resolve(directory))
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const part = join(parent, `.${basename(directory)}.restoring`)
  rmSync(part, { recursive: true, force: true })
  makePrivate(part)
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

/** A name counts as written only when its folder is on disk too. */
function flushFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
