import { lstatSync, realpathSync, rmdirSync } from 'node:fs'
import { mountsIn } from '../../cri/containerd/leftovers.js'
import { claimDataDirectory } from '../cluster/claim.js'
import type { LocalCluster } from '../cluster/cluster.js'
import { holdDataDirectory } from '../cluster/directory-hold.js'
import { DataDirectoryError, enumerated, isDataDirectory } from '../cluster/inspection.js'
import { readMarker } from '../cluster/marker.js'
import { removeContents } from '../cluster/removal.js'

export interface Deletion {
  /** The paths that Proa did not create. They still exist. */
  readonly remaining: readonly string[]
  readonly isDirectoryKept: boolean
}

/** Deletes everything that Proa created in the data directory of a stopped cluster. */
export async function deleteDataDirectory(cluster: LocalCluster): Promise<Deletion> {
  const hold = await holdDataDirectory(cluster)
  try {
    return await deleteLocked(cluster)
  } finally {
    await hold.release()
  }
}

async function deleteLocked(cluster: LocalCluster): Promise<Deletion> {
  const { dataDirectory } = cluster
  if (!isDataDirectory(dataDirectory)) return { remaining: [], isDirectoryKept: false }
  // Mark a directory of an older version first, so that a killed deletion can be repeated.
  if (!readMarker(dataDirectory)) claimDataDirectory(cluster)
  const isDirectoryMade = readMarker(dataDirectory)?.isDirectoryMade ?? false
  const { cleanUpPods: clearPods } = await import('./local-node.js')
  const real = realpathSync(dataDirectory)
  await clearPods(real)
  rejectMounts(real)
  const kept = await removeContents(real)
  const isLink = lstatSync(dataDirectory).isSymbolicLink()
  const isDirectoryKept = kept.length > 0 || !isDirectoryMade || isLink
  if (!isDirectoryKept) rmdirSync(real)
  return { remaining: kept, isDirectoryKept }
}

/** A mount may contain files of any program, so they must not be deleted. */
function rejectMounts(folder: string): void {
  const points = process.platform === 'linux' ? mountsIn(folder) : []
  if (points.length === 0) return
  throw new DataDirectoryError(
    `nothing was deleted, because something is mounted on ${enumerated(points)}; unmount it and try again`,
  )
}
