import { posix } from 'node:path'
import type { TarEntry } from '../../../base/tar/writer.js'

/** A file, a directory, a link, or an entry that cannot be copied, such as a device. */
export type TreeEntry = TarEntry | { readonly type: 'special'; readonly path: string }

/** A change of one layer: an entry, or a hard link to an existing file. */
export type LayerChange = TreeEntry | { readonly type: 'hardLink'; readonly path: string; readonly target: string }

const whiteoutPrefix = '.wh.'
const opaqueWhiteout = '.wh..wh..opq'
/** Linux's limit. */
const maxLinks = 40

/** Files and directories as a container sees them. Paths have no slash at either end; the root is `''`. */
export class FileTree {
  readonly #entries: Map<string, TreeEntry>

  constructor(entries: Iterable<readonly [string, TreeEntry]> = []) {
    this.#entries = new Map(entries)
  }

  copy(): FileTree {
    return new FileTree(this.#entries)
  }

  /** Does not follow links. */
  get(path: string): TreeEntry | undefined {
    return path === '' ? { type: 'directory', path } : this.#entries.get(path)
  }

  isDirectory(path: string): boolean {
    return this.get(path)?.type === 'directory'
  }

  /** All entries in a directory, at any depth. */
  below(path: string): TreeEntry[] {
    const prefix = path === '' ? '' : `${path}/`
    return [...this.#entries.values()].filter((entry) => entry.path.startsWith(prefix))
  }

  get paths(): string[] {
    return [...this.#entries.keys()]
  }

  add(entry: TreeEntry): void {
    const before = this.#entries.get(entry.path)
    if (before?.type === 'directory' && entry.type !== 'directory') this.remove(entry.path)
    this.#addParents(entry.path)
    this.#entries.set(entry.path, entry)
  }

  remove(path: string): void {
    if (this.isDirectory(path)) for (const { path: each } of this.below(path)) this.#entries.delete(each)
    this.#entries.delete(path)
  }

  /** Applies a layer. Its whiteouts apply first, to the lower layers. */
  apply(changes: readonly LayerChange[]): void {
    for (const { path } of changes) this.#removeFor(path)
    for (const change of changes) {
      if (isWhiteout(change.path)) continue
      if (change.type !== 'hardLink') this.add(change)
      else {
        const target = this.get(change.target)
        if (target) this.add({ ...target, path: change.path })
      }
    }
  }

  /** Resolves symbolic links. Missing parts stay as they are. With `lastLink`, the last part is not resolved. */
  resolve(path: string, { lastLink = false } = {}): string {
    let rest = path.split('/').filter((part) => part !== '' && part !== '.')
    let resolved: string[] = []
    for (let links = 0; rest.length > 0; ) {
      const [part = '', ...others] = rest
      rest = others
      if (part === '..') {
        resolved = resolved.slice(0, -1)
        continue
      }
      const entry = this.get([...resolved, part].join('/'))
      if (entry?.type !== 'link' || (lastLink && others.length === 0)) {
        resolved = [...resolved, part]
        continue
      }
      if (links++ > maxLinks) throw new Error(`too many links: ${path}`)
      if (entry.target.startsWith('/')) resolved = []
      rest = [...entry.target.split('/').filter((each) => each !== '' && each !== '.'), ...others]
    }
    return resolved.join('/')
  }

  #addParents(path: string): void {
    for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent)) {
      if (this.#entries.has(parent)) return
      this.#entries.set(parent, { type: 'directory', path: parent })
    }
  }

  #removeFor(path: string): void {
    const name = posix.basename(path)
    const parent = parentOf(path)
    if (name === opaqueWhiteout) for (const { path: each } of this.below(parent)) this.#entries.delete(each)
    else if (name.startsWith(whiteoutPrefix)) this.remove(posix.join(parent, name.slice(whiteoutPrefix.length)))
  }
}

function isWhiteout(path: string): boolean {
  return posix.basename(path).startsWith(whiteoutPrefix)
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}
