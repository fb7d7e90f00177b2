import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const hour = 3_600_000

/** Folders of this process that are still there. */
const folders = new Set<string>()

/** Makes a folder among the temporary files. It goes with `removeFolder`, or else when the process exits. */
export function makeFolder(purpose: string): string {
  prepareOnce()
  const folder = mkdtempSync(join(tmpdir(), `${prefix()}${process.pid}-${purpose}-`))
  folders.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true })
}

function removeAll(): void {
  for (const folder of folders) removeFolder(folder)
}

/** `proa-test-<host>-<process>-<purpose>-<random>`: processes of other hosts, such as containers that share the folder, are not judged. */
function prefix(): string {
  return `proa-test-${hostname().replaceAll(/[^A-Za-z0-9]/g, '')}-`
}

let isPrepared = false

/** Removes everything at exit, and now the folders of processes of this host that were killed: they had no time to do so. */
function prepareOnce(): void {
  if (isPrepared) return
  isPrepared = true
  process.once('exit', removeAll)
  for (const name of readdirSync(tmpdir()))
    if (isStale(name)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
}

function isStale(name: string): boolean {
  if (!name.startsWith(prefix())) return false
  const processId = Number.parseInt(name.slice(prefix().length), 10)
  if (!(processId > 0) || isAlive(processId)) return false
  const path = join(tmpdir(), name)
  return existsSync(path) && statSync(path).mtimeMs < Date.now() - hour
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
