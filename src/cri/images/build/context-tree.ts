import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileContent } from '../file-content.js'
import { FileTree, type TreeEntry } from './file-tree.js'
import { type IgnoreRules, ignoreRules } from './ignore-file.js'

/** The build context without the ignored files. */
export interface BuildContext {
  readonly tree: FileTree
  readonly ignored: IgnoreRules
}

/** Lists the files of a folder. Contents are read on demand. All files belong to root. */
export async function buildContext(folder: string, dockerfile: string): Promise<BuildContext> {
  const ignored = ignoreRules(
    (await readIfPresent(`${dockerfile}.dockerignore`)) ?? (await readIfPresent(join(folder, '.dockerignore'))) ?? '',
  )
  const tree = new FileTree()
  await addFolder(tree, { folder, path: '' }, ignored)
  return { tree, ignored }
}

async function addFolder(
  tree: FileTree,
  { folder, path }: { readonly folder: string; readonly path: string },
  ignored: IgnoreRules,
): Promise<void> {
  for (const name of (await readdir(join(folder, path))).sort()) {
    const childPath = path === '' ? name : `${path}/${name}`
    const isIgnored = ignored.isIgnored(childPath)
    if (isIgnored && ignored.isFinal) continue
    const entry = await entryOf(join(folder, childPath), childPath)
    if (!isIgnored) tree.add(entry)
    if (entry.type === 'directory') await addFolder(tree, { folder, path: childPath }, ignored)
  }
}

async function entryOf(file: string, path: string): Promise<TreeEntry> {
  const stats = await lstat(file)
  const mode = stats.mode & 0o7777
  if (stats.isSymbolicLink()) return { type: 'link', path, target: await readlink(file) }
  if (stats.isDirectory()) return { type: 'directory', path, mode }
  if (stats.isFile()) return { type: 'file', path, mode, content: fileContent(file, stats.size) }
  return { type: 'special', path }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
