import { parseArgs } from 'node:util'
import { storeDirectory } from '../storage/embedded/embedded-store.js'
import {
  restoreSnapshot,
  type SnapshotStatus,
  saveSnapshot,
  snapshotStatus,
} from '../storage/embedded/snapshot/snapshot.js'
import { StorageError } from '../storage/errors.js'

const usage = `Save, restore or describe a snapshot of the embedded store.

Usage:
  proa snapshot save FILE --data-dir DIR      write a snapshot; the cluster may be running
  proa snapshot restore FILE --data-dir DIR   make a store from a snapshot, where there is none
  proa snapshot status FILE                   say what is in a snapshot
`

class UsageError extends Error {}

/** The command `proa snapshot`, without its own name; gives the exit code. */
export async function snapshotCommand(args: readonly string[]): Promise<number> {
  try {
    process.stdout.write(await run(args))
    return 0
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`error: ${error.message}\n\n${usage}`)
    else if (error instanceof StorageError || isSystemError(error)) process.stderr.write(`error: ${error.message}\n`)
    else throw error
    return 1
  }
}

async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parse(args)
  if (values.help) return usage
  const [verb, file, ...rest] = positionals
  if (verb === undefined) throw new UsageError('say what to do: save, restore or status')
  if (file === undefined || rest.length > 0) throw new UsageError(`${verb} takes one FILE`)
  if (verb === 'status') return table(snapshotStatus(file))
  const dataDirectory = values['data-dir']
  if (verb !== 'save' && verb !== 'restore') throw new UsageError(`unknown verb ${verb}`)
  if (dataDirectory === undefined) throw new UsageError(`${verb} needs --data-dir`)
  const directory = storeDirectory(dataDirectory)
  if (verb === 'save') return `snapshot saved to ${file}\n${table(await saveSnapshot(directory, file))}`
  return `snapshot restored to ${directory}\n${table(await restoreSnapshot(file, directory))}`
}

function parse(args: readonly string[]) {
  try {
    const options = { 'data-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'
}

function table({ revision, keys, leases, bytes, hash }: SnapshotStatus): string {
  const rows = [
    ['REVISION', 'KEYS', 'LEASES', 'SIZE', 'HASH'],
    [revision, keys, leases, size(bytes), hash.slice(0, 16)].map(String),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]! + 3))
      .join('')
      .trimEnd()
  return `${rows.map(line).join('\n')}\n`
}

function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`
}
