import { boolean } from '../base/flags/flag-types.js'
import { describeFlags, parseArguments, UsageError } from '../base/flags/flags.js'
import { storeDirectory } from '../storage/embedded/embedded-store.js'
import {
  restoreSnapshot,
  type SnapshotStatus,
  saveSnapshot,
  snapshotStatus,
} from '../storage/embedded/snapshot/snapshot.js'
import { StorageError } from '../storage/errors.js'
import { claimDataDirectory } from './cluster/claim.js'
import { findCluster, type LocalCluster } from './cluster/cluster.js'
import { clusterFlags, readClusterFlags } from './cluster/cluster-flags.js'
import { DataDirectoryError } from './cluster/inspection.js'
import { table } from './process/table.js'

const usage = `Save, restore or describe a snapshot of the data of a cluster.

Usage:
  proa snapshot save FILE      write a snapshot; the cluster may be running
  proa snapshot restore FILE   create the data of a new cluster from a snapshot; then start the cluster with proa up
  proa snapshot status FILE    show what is in a snapshot

Flags:
${describeFlags(clusterFlags)}`

/** Runs `proa snapshot` with its arguments, without its own name. Resolves with the exit code. */
export async function snapshotCommand(args: readonly string[]): Promise<number> {
  try {
    process.stdout.write(await run(args))
    return 0
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`error: ${error.message}\n\n${usage}`)
    else if (isExpected(error)) process.stderr.write(`error: ${error.message}\n`)
    else throw error
    return 1
  }
}

async function run(args: readonly string[]): Promise<string> {
  const { flags, operands } = parseArguments({ ...clusterFlags, help: { ...boolean(''), short: 'h' } }, args)
  if (flags.help) return usage
  const [verb, file, ...rest] = operands
  if (verb === undefined) throw new UsageError('name a command: save, restore or status')
  if (file === undefined || rest.length > 0) throw new UsageError(`${verb} takes one FILE`)
  if (verb === 'status') return statusTable(snapshotStatus(file))
  if (verb !== 'save' && verb !== 'restore') throw new UsageError(`unknown command ${verb}`)
  const cluster = findCluster(readClusterFlags(flags, process.env))
  return verb === 'save' ? save(file, cluster) : restore(file, cluster)
}

async function save(file: string, { dataDirectory }: LocalCluster): Promise<string> {
  return `snapshot saved to ${file}\n${statusTable(await saveSnapshot(storeDirectory(dataDirectory), file))}`
}

/** Checks the file before it claims the directory. */
async function restore(file: string, cluster: LocalCluster): Promise<string> {
  snapshotStatus(file)
  claimDataDirectory(cluster)
  const directory = storeDirectory(cluster.dataDirectory)
  return `snapshot restored to ${directory}\n${statusTable(await restoreSnapshot(file, directory))}`
}

function isExpected(error: unknown): error is Error {
  return error instanceof StorageError || error instanceof DataDirectoryError || isSystemError(error)
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'
}

function statusTable({ revision, keys, leases, bytes, hash }: SnapshotStatus): string {
  return table([
    ['REVISION', 'KEYS', 'LEASES', 'SIZE', 'HASH'],
    [revision, keys, leases, size(bytes), hash.slice(0, 16)].map(String),
  ])
}

function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`
}
