import type { ClusterFlags } from './cluster-flags.js'
import { defaultDataDirectory, defaultName } from './data-directory.js'
import { readMarker } from './marker.js'

/** A cluster of this machine, as the flags name it. It may not exist yet. */
export interface LocalCluster {
  readonly name: string
  /** An absolute path. */
  readonly dataDirectory: string
}

/**
 * Returns the cluster that the flags name. If only the directory is given, it is the cluster in that directory. Throws if the directory
 * belongs to a cluster with another name.
 */
export function findCluster({ name, 'data-dir': given }: ClusterFlags): LocalCluster {
  const dataDirectory = given ?? defaultDataDirectory(name)
  const found = readMarker(dataDirectory)?.name
  if (name !== undefined && found !== undefined && found !== name)
    throw new Error(
      `${dataDirectory} is the data directory of the cluster ${found}, not of ${name}; use that name, or name another directory with --data-dir`,
    )
  return { name: name ?? found ?? defaultName, dataDirectory }
}
