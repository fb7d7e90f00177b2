import { posix } from 'node:path'
import type { TarEntry } from '../../../base/tar/writer.js'
import { type FileTree, parentOf, type TreeEntry } from './file-tree.js'
import type { Owner } from './owner.js'
import { isPattern, pathPattern } from './path-pattern.js'

export interface CopyOptions {
  readonly source: FileTree
  /** The current files of the image. */
  readonly target: FileTree
  /** Absolute path in the image. A trailing slash means a directory. */
  readonly path: string
  /** Owner of all copies and of new parent directories; undefined keeps the owners of the source. */
  readonly owner?: Owner | undefined
  readonly mode?: number | undefined
}

/**
 * Returns the entries of the layer that `COPY` adds: a file under its new name, or the content of a directory. The layer also contains the
 * parent directories as they are in the image, so that unpacking does not change them. Links among them are followed.
 */
export function copiedEntries(paths: readonly string[], options: CopyOptions): TarEntry[] {
  const isDirectory = options.path.endsWith('/') || options.target.isDirectory(options.target.resolve(options.path))
  if (paths.length > 1 && !isDirectory && !paths.every((path) => options.source.isDirectory(path)))
    throw new Error(`${paths.join(' ')} are several files; the target must end with /: ${options.path}/`)
  const copied = paths.flatMap((path) => copyOne(path, isDirectory, options))
  return withAncestors(copied, options)
}

/** Returns the paths that match a source, which may contain `*`, `?` and `[…]`. */
export function matchingPaths(tree: FileTree, source: string): string[] {
  const path = cleanSource(source)
  if (!isPattern(path)) return tree.get(tree.resolve(path)) ? [path] : []
  const pattern = pathPattern(path)
  return tree.paths.filter((each) => pattern.test(each)).sort()
}

export function cleanSource(source: string): string {
  const path = posix.normalize(source).replace(/^\/+|\/+$/g, '')
  if (path.split('/').includes('..')) throw new Error(`${source} leads outside of the build context`)
  return path === '.' ? '' : path
}

function copyOne(path: string, isDirectory: boolean, options: CopyOptions): TarEntry[] {
  const { source, target } = options
  const resolved = source.resolve(path)
  const entry = source.get(resolved)
  if (!entry) throw new Error(`${path} is a link that leads nowhere`)
  if (entry.type !== 'directory') {
    const to = isDirectory ? posix.join(options.path, posix.basename(path)) : options.path
    return [copiedEntry(entry, target.resolve(to, { lastLink: true }), options)]
  }
  const root = target.resolve(options.path)
  const self = root === '' || target.isDirectory(root) ? [] : [copiedEntry(entry, root, options)]
  return [
    ...self,
    ...source.below(resolved).map((each) => copiedEntry(each, targetPath(each, resolved, root, options), options)),
  ]
}

function targetPath(entry: TreeEntry, from: string, root: string, { target }: CopyOptions): string {
  const path = posix.join(root, from === '' ? entry.path : entry.path.slice(from.length + 1))
  return target.resolve(path, { lastLink: entry.type !== 'directory' })
}

function copiedEntry(entry: TreeEntry, path: string, { owner, mode }: CopyOptions): TarEntry {
  if (entry.type === 'special') throw new Error(`${entry.path} is neither a file, a directory nor a link`)
  const isLink = entry.type === 'link'
  return { ...entry, path, ...owner, ...(mode !== undefined && !isLink && { mode }) }
}

/** Adds the parent directories: as they are in the image, or new ones. */
export function withAncestors(
  entries: readonly TarEntry[],
  { target, owner }: Pick<CopyOptions, 'target' | 'owner'>,
): TarEntry[] {
  const all = new Map(entries.map((entry) => [entry.path, entry]))
  for (const { path } of entries)
    for (let parent = parentOf(path); parent !== '' && !all.has(parent); parent = parentOf(parent)) {
      const present = target.get(parent)
      all.set(parent, present?.type === 'directory' ? present : { type: 'directory', path: parent, ...owner })
    }
  return [...all.values()]
}
