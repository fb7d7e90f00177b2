import { lstatSync, realpathSync, rmdirSync } from 'node:fs'
import { mountsIn } from '../../cri/containerd/leftovers.js'
import { claimDataDirectory } from '../cluster/claim.js'
import type { LocalCluster } from '../cluster/cluster.js'
import { holdDataDirectory } from '../cluster/directory-hold.js'
import { DataDirectoryError, enumerated, isDataDirectory } from '../cluster/inspection.js'
import { readMarker } from '../cluster/marker.js'
import { removeContents } from '../cluster/removal.js'

export interface Deletion {
  /** What Proa did not make, and what therefore is still there. */
  readonly kept: readonly string[]
  readonly isDirectoryKept: boolean
}

/** Deletes what Proa made in the data directory of a cluster that has ended. */
export async function deleteDataDirectory(cluster: LocalCluster): Promise<Deletion> {
  const hold = await holdDataDirectory(cluster)
  try {
    return await deleteHeld(cluster)
  } finally {
    await hold.release()
  }
}

async function deleteHeld(cluster: LocalCluster): Promise<Deletion> {
  const { dataDirectory } = cluster
  if (!isDataDirectory(dataDirectory)) return { kept: [], isDirectoryKept: false }
  // A directory of an older version is marked first: what a killed deletion leaves can be deleted later.
  if (!readMarker(dataDirectory)) claimDataDirectory(cluster)
  const isDirectoryMade = readMarker(dataDirectory)?.isDirectoryMade ?? false
  const { clearPods } = await import('./local-node.js')
  const real = realpathSync(dataDirectory)
  await clearPods(real)
  refuseMounts(real)
  const kept = await removeContents(real)
  const isLink = lstatSync(dataDirectory).isSymbolicLink()
  const isDirectoryKept = kept.length > 0 || !isDirectoryMade || isLink
  if (!isDirectoryKept) rmdirSync(real)
  return { kept, isDirectoryKept }
}

/** What is mounted may be anybody's files. */
function refuseMounts(folder: string): void {
  const points = process.platform === 'linux' ? mountsIn(folder) : []
  if (points.length === 0) return
  throw new DataDirectoryError(
    `nothing was deleted, because something is mounted on ${enumerated(points)}; unmount it and try again`,
  )
}
