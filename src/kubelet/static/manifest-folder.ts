import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** As large as a manifest may be: upstream's limit. */
const largest = 10 * 2 ** 20

export interface ManifestFile {
  readonly path: string
  /** Undefined for one that cannot be read; `problem` says why. */
  readonly text: string | undefined
  readonly problem?: string
}

/** A folder of manifests, or a single one. */
export interface ManifestFolder {
  /** By name. Hidden files and folders do not count; a folder that is not there is empty. */
  read(): Promise<readonly ManifestFile[]>
  /** Calls when something may have changed, until the returned function is called. Undefined if that cannot be told now. */
  watch(changed: () => void): (() => void) | undefined
}

export function manifestFolder(path: string): ManifestFolder {
  return {
    read: async () => Promise.all((await pathsIn(path)).map(readManifest)),
    watch: (changed) => watchFolder(path, changed),
  }
}

async function pathsIn(path: string): Promise<readonly string[]> {
  try {
    if ((await stat(path)).isFile()) return [path]
    const entries = await readdir(path)
    const paths = entries
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => join(path, name))
    const isFile = await Promise.all(paths.map((each) => stat(each).then((found) => found.isFile(), isNoFile)))
    return paths.filter((_, i) => isFile[i])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** It went since the folder was read, or is a link to nowhere. */
function isNoFile(): boolean {
  return false
}

async function readManifest(path: string): Promise<ManifestFile> {
  try {
    if ((await stat(path)).size > largest) return { path, text: undefined, problem: 'it is larger than 10 MiB' }
    return { path, text: await readFile(path, 'utf8') }
  } catch (error) {
    return { path, text: undefined, problem: (error as Error).message }
  }
}

function watchFolder(path: string, changed: () => void): (() => void) | undefined {
  let watcher: FSWatcher
  try {
    watcher = watch(path, { persistent: false }, changed)
  } catch {
    return undefined // it is not there, or the machine has no watch to give: it is looked at now and then in any case
  }
  watcher.on('error', changed)
  return () => watcher.close()
}
