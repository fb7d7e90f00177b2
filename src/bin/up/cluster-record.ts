import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a running cluster tells the commands that look for it. It lies in the cluster's folder. */
export interface ClusterRecord {
  readonly pid: number
  /** By which a process is told from a later one with the same number. */
  readonly begun: string
  readonly url: string
  /** The administrator's own, which is nobody else's file. */
  readonly kubeconfig: string | undefined
  readonly context: string
  readonly nodes: readonly NodeRecord[]
}

export interface NodeRecord {
  readonly name: string
  /** `containerd 1.6.20, a private one in /var/lib/proa/containerd` */
  readonly runtime: string
  readonly isSimulated: boolean
}

const fileIn = (folder: string) => join(folder, 'running.json')

export function writeRecord(folder: string, record: Omit<ClusterRecord, 'pid' | 'begun'>): void {
  const { pid } = process
  const unfinished = `${fileIn(folder)}.${pid}`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(unfinished, JSON.stringify({ pid, begun: beginningOf(pid), ...record }), { mode: 0o600 })
  renameSync(unfinished, fileIn(folder))
}

export function removeRecord(folder: string): void {
  rmSync(fileIn(folder), { force: true })
}

/** Of the cluster in that folder; undefined when it does not run. */
export function readRecord(folder: string): ClusterRecord | undefined {
  const text = readIfThere(fileIn(folder))
  if (text === undefined) return undefined
  const record = JSON.parse(text) as ClusterRecord
  return isRunning(record) ? record : undefined
}

export function isRunning({ pid, begun }: Pick<ClusterRecord, 'pid' | 'begun'>): boolean {
  return beginningOf(pid) === begun
}

/** When a process began, in whatever the system measures it; '' when there is none, or when the system does not tell. */
function beginningOf(pid: number): string {
  const text = readIfThere(`/proc/${pid}/stat`)
  if (text !== undefined) return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  if (existsOnce('/proc/self/stat')) return ''
  try {
    process.kill(pid, 0)
    return 'unknown'
  } catch {
    return '' // there is no such process, or it is somebody else's
  }
}

function existsOnce(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
