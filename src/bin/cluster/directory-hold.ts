import { FolderHold } from '../../base/folder-hold.js'
import type { LocalCluster } from './cluster.js'
import { DataDirectoryError } from './inspection.js'
import { readRecord } from './record.js'

/** Lets one process at a time start, run or delete a cluster. Throws where another one does so already. */
export async function holdDataDirectory({ dataDirectory }: LocalCluster): Promise<FolderHold> {
  const hold = await FolderHold.take(dataDirectory, 'data')
  if (hold) return hold
  const pid = readRecord(dataDirectory)?.pid
  const who = pid === undefined ? 'another proa, which starts or deletes the cluster' : `process ${pid}`
  throw new DataDirectoryError(`${dataDirectory} is in use by ${who}; wait for it, and try again`)
}
