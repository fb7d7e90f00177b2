import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import { UnusableStoreError } from '../errors.js'
import { diskErrors } from './disk-errors.js'
import { formatVersion, writeCounters } from './encoding.js'
import { Holder } from './holder.js'
import { countersName, fenceName, LmdbMedium } from './lmdb-medium.js'
import { openTables, type Tables } from './tables.js'

export const formatName = 'format'

/** LMDB's own names. */
export const dataFile = 'data.mdb'
const lockFile = 'lock.mdb'

/** Takes the folder for this process, makes sure of what is in it, and opens it. */
export async function openMedium(directory: string, environment: Environment): Promise<LmdbMedium> {
  makePrivate(directory)
  const holder = await Holder.take(directory, environment.clock)
  try {
    return open(directory, holder)
  } catch (error) {
    await holder.release()
    throw error
  }
}

function open(directory: string, holder: Holder): LmdbMedium {
  const isNew = !existsSync(join(directory, dataFile))
  const tables = openTables(directory)
  for (const file of [dataFile, lockFile]) chmodSync(join(directory, file), 0o600)
  const fence = raiseFence(tables, isNew)
  return new LmdbMedium({ tables, fence, explain: diskErrors(directory), release: () => holder.release() })
}

function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
}

/** Writes the next number into the fence: from now on nobody else who still has the store open can commit anything. */
function raiseFence(tables: Tables, isNew: boolean): number {
  let fence = 0
  tables.root.transactionSync(() => {
    if (isNew) {
      tables.root.put(formatName, Buffer.from(JSON.stringify({ store: 'proa', version: formatVersion })))
      tables.root.put(countersName, writeCounters({ revision: 1, oldest: 1, swept: 1 }))
    }
    fence = (tables.fence.getEntry(fenceName)?.version ?? 0) + 1
    tables.fence.put(fenceName, new Uint8Array(0), fence)
  })
  return fence
}
void UnusableStoreError
