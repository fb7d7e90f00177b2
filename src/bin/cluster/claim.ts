import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { readBuild } from '../../apiserver/server.js'
import { systemClock } from '../../base/clock.js'
import type { LocalCluster } from './cluster.js'
import { DataDirectoryError, type DirectoryState, inspectDirectory } from './inspection.js'
import { writeMarker } from './marker.js'

/**
 * Creates the data directory of a cluster, and writes the marker before anything else. Throws if the directory has files that Proa did not
 * write, or if it is not writable.
 */
export function claimDataDirectory(cluster: LocalCluster): void {
  const { dataDirectory } = cluster
  const state = checkDataDirectory(cluster)
  inDataDirectory(dataDirectory, () => {
    createDirectory(dataDirectory)
    accessSync(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK)
    if (state.is !== 'marked') mark(cluster, state.is !== 'empty')
  })
}

/** Throws if the directory cannot be the data directory of a cluster, as far as this is known without writing to it. */
export function checkDataDirectory({ dataDirectory }: LocalCluster): DirectoryState {
  const state = inDataDirectory(dataDirectory, () => inspectDirectory(dataDirectory))
  if (state.is !== 'foreign') return state
  throw new DataDirectoryError(`${state.why}; name a new or empty directory with --data-dir`)
}

/** Claims a directory only if it is new or empty. A component that runs alone may share its directory with other files. */
export function claimIfEmpty(cluster: LocalCluster): void {
  const { is } = inspectDirectory(cluster.dataDirectory)
  if (is === 'absent' || is === 'empty') claimDataDirectory(cluster)
}

/** Also creates missing parents. `recursive` of Node's `mkdir` never returns on a file system without `mkdir`, such as /proc. */
function createDirectory(path: string): void {
  if (existsSync(path)) return
  createDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

function mark({ name, dataDirectory }: LocalCluster, isDirectoryMade: boolean): void {
  const createdAt = new Date(systemClock.now()).toISOString()
  writeMarker(dataDirectory, { name, version: readBuild().version, createdAt, isDirectoryMade })
}

/** Runs `act`, which reads or writes a data directory. Converts a system error to a `DataDirectoryError` with a sentence about the directory. */
export function inDataDirectory<T>(dataDirectory: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    const why = reasons[code ?? ''] ?? (error as Error).message
    const message = `the data directory ${dataDirectory} cannot be used: ${why}; name another one with --data-dir`
    throw new DataDirectoryError(message, { cause: error })
  }
}

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'its file system is read-only',
  EACCES: 'you have no permission to write to it',
  EPERM: 'you have no permission to write to it',
  ENOENT: 'nothing can be created there',
  ENOTDIR: 'a part of its path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path is a circle of links',
}
