import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Maximum size of a manifest, as upstream. */
const largest = 10 * 2 ** 20

export interface ManifestFile {
  readonly path: string
  /** Undefined if the file cannot be read. `problem` then says why. */
  readonly text: string | undefined
  readonly problem?: string
}

/** A folder of manifests, or a single manifest file. */
export interface ManifestFolder {
  /** Reads all files, sorted by name. Ignores hidden files and subfolders. A missing folder is empty. */
  read(): Promise<readonly ManifestFile[]>
  /** Calls `changed` when something may have changed. Returns an unsubscribe function, or undefined if no watch is possible now. */
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

/** For files that were removed after the folder was read, and for broken links. */
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
    return undefined // the folder is missing or the host is out of watches; the periodic reread still works
  }
  watcher.on('error', changed)
  return () => watcher.close()
}
