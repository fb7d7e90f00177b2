import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.js'

/** What the process of a cluster tells the commands that look for it. It is in the data directory while the process runs. */
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
  /** Whether it starts no processes, and keeps no images. */
  readonly isSimulated: boolean
}

export const recordFile = 'running.json'

/** Says that this process is the cluster's. */
export function writeRecord(dataDirectory: string, record: Omit<ClusterRecord, keyof ProcessIdentity>): void {
  const path = join(dataDirectory, recordFile)
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, JSON.stringify({ ...identityOf(process.pid), ...record }), { mode: 0o600 })
  renameSync(unfinished, path)
}

export function removeRecord(dataDirectory: string): void {
  rmSync(join(dataDirectory, recordFile), { force: true })
}

/** Of the cluster in that directory; undefined when it does not run. */
export function readRecord(dataDirectory: string): ClusterRecord | undefined {
  const record = parseRecord(join(dataDirectory, recordFile))
  return record && isAlive(record) ? record : undefined
}

function parseRecord(path: string): ClusterRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ClusterRecord
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    // The machine may have stopped while it was written: then the process is gone, too.
    if (isMissing || error instanceof SyntaxError) return undefined
    throw error
  }
}
