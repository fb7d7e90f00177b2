import { boolean } from '../../base/flags/flag-types.js'
import { defaultName } from '../cluster/data-directory.js'
import { withHints } from '../cluster/hints.js'
import { inspectDirectory } from '../cluster/inspection.js'
import { candidateDirectories } from '../cluster/known-clusters.js'
import { MarkerError } from '../cluster/marker.js'
import { readRecord } from '../cluster/record.js'
import { defineCommand } from '../command.js'
import { proaCommand } from '../process/invocation.js'
import { table } from '../process/table.js'

const listFlags = {
  help: { ...boolean('Show this help.'), short: 'h' },
}

export const listCommand = defineCommand({
  name: 'list',
  about: `List the clusters of this machine, running or stopped. "proa clusters" is the same.

The list has the clusters in the default directories of this user and of root, and those with another --data-dir that this user
started.

Usage:
  proa list
`,
  flags: listFlags,
  run: async () => void process.stdout.write(clusterTable()),
})

function clusterTable(): string {
  const clusters = candidateDirectories().flatMap(describe)
  if (clusters.length === 0) {
    const hint = { purpose: 'start one', command: `${proaCommand()} up` }
    return `${withHints('No cluster was found on this machine.', hint)}\n`
  }
  const sorted = clusters.sort((one, other) => compare(one.name, other.name) || compare(one.directory, other.directory))
  const rows = sorted.map(({ name, state, url, directory }) => [name, state, url, directory])
  return table([['NAME', 'STATE', 'URL', 'DATA DIRECTORY'], ...rows])
}

interface ListedCluster {
  readonly name: string
  readonly state: 'running' | 'starting' | 'stopped' | 'no permission'
  readonly url: string
  readonly directory: string
}

/** Returns an empty array if the directory is not a data directory. */
function describe(directory: string): readonly ListedCluster[] {
  try {
    const inspected = inspectDirectory(directory)
    if (inspected.is === 'marked') return [{ name: inspected.marker.name, directory, ...stateOf(directory) }]
    return inspected.is === 'older' ? [{ name: defaultNameOf(directory), directory, ...stateOf(directory) }] : []
  } catch (error) {
    if (error instanceof MarkerError) return []
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    return [{ name: defaultNameOf(directory), state: 'no permission', url: '-', directory }]
  }
}

function stateOf(directory: string): Pick<ListedCluster, 'state' | 'url'> {
  const record = readRecord(directory)
  if (!record) return { state: 'stopped', url: '-' }
  return record.url === undefined ? { state: 'starting', url: '-' } : { state: 'running', url: record.url }
}

/** Returns the name that belongs to a default data directory: `trial` for `/var/lib/proa-trial`. */
function defaultNameOf(directory: string): string {
  return /\/proa-([^/]+)$/.exec(directory)?.[1] ?? defaultName
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
