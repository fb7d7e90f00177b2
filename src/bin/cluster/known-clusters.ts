import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ProcessVariables } from '../../base/flags/flags.js'
import type { LocalCluster } from './cluster.js'
import { defaultDataDirectory, defaultParentDirectory, rootParentDirectory } from './data-directory.js'

/**
 * The folder with one file for each data directory of this user that is not in the default parent directory. Those in the default parent are
 * found without such a file.
 */
function referencesFolder(variables: ProcessVariables = process.env): string {
  return join(variables.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'proa', 'clusters')
}

function referenceFile({ dataDirectory }: Pick<LocalCluster, 'dataDirectory'>): string {
  const hash = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
  return join(referencesFolder(), `${hash}.json`)
}

/** Writes a reference to the data directory, so that `proa list` finds it. Removes references to directories that no longer exist. */
export function rememberCluster(cluster: LocalCluster): void {
  const { name, dataDirectory } = cluster
  for (const known of referencedDirectories()) if (!existsSync(known)) forgetCluster({ dataDirectory: known })
  if (dataDirectory === defaultDataDirectory(name)) return
  mkdirSync(referencesFolder(), { recursive: true, mode: 0o700 })
  writeFileSync(referenceFile(cluster), `${JSON.stringify({ dataDirectory })}\n`, { mode: 0o600 })
}

export function forgetCluster(cluster: Pick<LocalCluster, 'dataDirectory'>): void {
  rmSync(referenceFile(cluster), { force: true })
}

/** Returns directories that may be data directories: those with a default name in the default parents (also root's), and the referenced ones. */
export function candidateDirectories(): readonly string[] {
  const usual = [defaultParentDirectory(), rootParentDirectory].flatMap((parent) =>
    namesIn(parent)
      .filter((name) => /^proa(-[a-z0-9-]+)?$/.test(name))
      .map((name) => join(parent, name)),
  )
  return [...new Set([...usual, ...referencedDirectories()])]
}

function referencedDirectories(): readonly string[] {
  return namesIn(referencesFolder()).flatMap((name) => {
    const text = readFileSync(join(referencesFolder(), name), 'utf8')
    const { dataDirectory } = parsed(text)
    return typeof dataDirectory === 'string' ? [dataDirectory] : []
  })
}

/** Ignores a file that was not finished when the machine stopped: the next `up` writes it again. */
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
