import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.js'

/** Describes the process of a cluster for other commands. It is in the data directory while the process runs. */
export interface ClusterRecord extends ProcessIdentity {
  /** Undefined while the cluster starts. */
  readonly url?: string
  /** The administrator's kubeconfig in the data directory. */
  readonly kubeconfig?: string | undefined
  readonly nodes: readonly NodeRecord[]
}

export interface NodeRecord {
  readonly name: string
  /** `containerd 1.6.20, a private one in /var/lib/proa/containerd` */
  readonly runtime: string
  /** Whether the runtime only simulates containers: it starts no processes and stores no images. */
  readonly isSimulated: boolean
}

export const recordFile = 'running.json'

/** Records this process as the process of the cluster. */
export function writeRecord(dataDirectory: string, record: Omit<ClusterRecord, keyof ProcessIdentity>): void {
  const path = join(dataDirectory, recordFile)
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, JSON.stringify({ ...identityOf(process.pid), ...record }), { mode: 0o600 })
  renameSync(unfinished, path)
}

export function removeRecord(dataDirectory: string): void {
  rmSync(join(dataDirectory, recordFile), { force: true })
}

/** Returns the record of the cluster in that directory, or undefined if the cluster does not run. */
export function readRecord(dataDirectory: string): ClusterRecord | undefined {
  const record = parseRecord(join(dataDirectory, recordFile))
  return record && isAlive(record) ? record : undefined
}

function parseRecord(path: string): ClusterRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ClusterRecord
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    // The machine may have stopped while the file was written. Then the process has ended as well.
    if (isMissing || error instanceof SyntaxError) return undefined
    throw error
  }
}
