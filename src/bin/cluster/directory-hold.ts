import { FolderHold } from '../../base/folder-hold.js'
import type { LocalCluster } from './cluster.js'
import { DataDirectoryError } from './inspection.js'
import { readRecord } from './record.js'

/** Locks a data directory, so that only one process starts, runs or deletes the cluster. Throws if another process has the lock. */
export async function holdDataDirectory({ dataDirectory }: LocalCluster): Promise<FolderHold> {
  const hold = await FolderHold.take(dataDirectory, 'data')
  if (hold) return hold
  const pid = readRecord(dataDirectory)?.pid
  const who = pid === undefined ? 'another proa, which starts or deletes the cluster' : `process ${pid}`
  throw new DataDirectoryError(`${dataDirectory} is in use by ${who}; wait for it, and try again`)
}
