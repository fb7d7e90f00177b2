import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import { UnusableStoreError } from '../errors.js'
import { examineDataFile } from './damage.js'
import { diskErrors } from './disk-errors.js'
import { fenceName } from './encoding.js'
import { FolderLock } from './folder-lock.js'
import { deltaFrom } from './journal/delta.js'
import { JournaledMedium } from './journal/journaled-medium.js'
import { recoverJournal } from './journal/recovery.js'
import { LmdbMedium } from './lmdb/lmdb-medium.js'
import { type LmdbTables, openTables } from './lmdb/tables.js'
import { createPrivateFolder, dataFile, lockFile } from './store-folder.js'

/** Locks the folder for this process, checks its content, opens it, and replays the journal. */
export async function openMedium(
  directory: string,
  environment: Environment,
  mapSize?: number,
): Promise<JournaledMedium> {
  createPrivateFolder(directory)
  const lock = await FolderLock.acquire(directory, environment.clock)
  try {
    const isNew = checkData(join(directory, dataFile))
    const tables = openTables(directory, { isNew, ...(mapSize !== undefined && { mapSize }) })
    for (const file of [dataFile, lockFile]) chmodSync(join(directory, file), 0o600)
    const fence = raiseFence(tables)
    const lmdb = new LmdbMedium({ tables, fence, explain: diskErrors(directory), release: () => lock.release() })
    await replayJournal(lmdb, directory)
    return new JournaledMedium({ directory, lmdb, clock: environment.clock })
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Lets LMDB take over the journal of an earlier process. */
async function replayJournal(lmdb: LmdbMedium, directory: string): Promise<void> {
  const { records, remove } = recoverJournal(directory, lmdb.sequence)
  const last = records.at(-1)
  if (last) await lmdb.commit([deltaFrom(records)], last.writes.counters, last.sequence)
  remove()
}

/** Returns whether there is no data file yet. Throws if there is one that is not a valid store. */
export function checkData(path: string): boolean {
  const condition = existsSync(path) ? examineDataFile(path) : ({ is: 'new' } as const)
  if (condition.is === 'unusable') throw new UnusableStoreError(`${path} ${condition.why}`)
  return condition.is === 'new'
}

/** Increases the number in the fence: from now on no other process that has the store open can commit. */
function raiseFence(tables: LmdbTables): number {
  let fence = 0
  tables.root.transactionSync(() => {
    fence = (tables.fence.getEntry(fenceName)?.version ?? 0) + 1
    tables.fence.put(fenceName, new Uint8Array(0), fence)
  })
  return fence
}
