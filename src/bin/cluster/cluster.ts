import type { ClusterFlags } from './cluster-flags.js'
import { defaultName, usualDataDirectory } from './data-directory.js'
import { readMarker } from './marker.js'

/** A cluster of this machine, as commands are told about it. It may not exist yet. */
export interface LocalCluster {
  readonly name: string
  /** Absolute. */
  readonly dataDirectory: string
}

/**
 * The cluster that the flags name. Who gives only the directory means the cluster that is in it. Throws where a name is given and the
 * directory belongs to a cluster of another name.
 */
export function findCluster({ name, 'data-dir': given }: ClusterFlags): LocalCluster {
  const dataDirectory = given ?? usualDataDirectory(name)
  const found = readMarker(dataDirectory)?.name
  if (name !== undefined && found !== undefined && found !== name)
    throw new Error(
      `${dataDirectory} is the data directory of the cluster ${found}, not of ${name}; use that name, or name another directory with --data-dir`,
    )
  return { name: name ?? found ?? defaultName, dataDirectory }
}
