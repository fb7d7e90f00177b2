import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ProcessVariables } from '../../base/flags/flags.js'
import type { LocalCluster } from './cluster.js'
import { machineParent, usualDataDirectory, usualParent } from './data-directory.js'

/**
 * Which data directories this user has. Those in the usual place are found there; each other one has a note in the user's folder for
 * state.
 */
function notesFolder(variables: ProcessVariables = process.env): string {
  return join(variables.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'proa', 'clusters')
}

function noteOf({ dataDirectory }: Pick<LocalCluster, 'dataDirectory'>): string {
  const mark = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
  return join(notesFolder(), `${mark}.json`)
}

/** So that `proa list` finds it. Forgets those whose directories are gone. */
export function rememberCluster(cluster: LocalCluster): void {
  const { name, dataDirectory } = cluster
  for (const noted of notedDirectories()) if (!existsSync(noted)) forgetCluster({ dataDirectory: noted })
  if (dataDirectory === usualDataDirectory(name)) return
  mkdirSync(notesFolder(), { recursive: true, mode: 0o700 })
  writeFileSync(noteOf(cluster), `${JSON.stringify({ dataDirectory })}\n`, { mode: 0o600 })
}

export function forgetCluster(cluster: Pick<LocalCluster, 'dataDirectory'>): void {
  rmSync(noteOf(cluster), { force: true })
}

/** Directories that may be data directories: those with a usual name in the usual places, of root too, and those with a note. */
export function candidateDirectories(): readonly string[] {
  const usual = [usualParent(), machineParent].flatMap((parent) =>
    namesIn(parent)
      .filter((name) => /^proa(-[a-z0-9-]+)?$/.test(name))
      .map((name) => join(parent, name)),
  )
  return [...new Set([...usual, ...notedDirectories()])]
}

function notedDirectories(): readonly string[] {
  return namesIn(notesFolder()).flatMap((name) => {
    const text = readFileSync(join(notesFolder(), name), 'utf8')
    const { dataDirectory } = parsed(text)
    return typeof dataDirectory === 'string' ? [dataDirectory] : []
  })
}

/** A note that the machine stopped in the middle of is none: the next `up` writes it anew. */
function parsed(text: string): { readonly dataDirectory?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { readonly dataDirectory?: unknown }
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return []
    throw error
  }
}
