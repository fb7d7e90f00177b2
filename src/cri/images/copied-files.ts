import { lstat, readdir, readlink } from 'node:fs/promises'
import { basename, join, normalize, relative } from 'node:path'
import type { TarEntry } from '../../base/tar/writer.js'
import { fileContent } from './file-content.js'

export interface CopyOptions {
  /** Where the sources are; nothing outside of it is copied. */
  readonly folder: string
  /** Relative to the folder. */
  readonly sources: readonly string[]
  /** In the image, absolute. With a slash at its end, or with several sources, it is a folder. */
  readonly target: string
  readonly uid?: number
  readonly gid?: number
  readonly mode?: number | undefined
}

/** What `COPY` puts into a layer: a file under its new name, of a folder what is in it. */
export async function copiedFiles(options: CopyOptions): Promise<TarEntry[]> {
  const intoFolder = options.target.endsWith('/') || options.sources.length > 1
  const copies = options.sources.map(async (source) => {
    const path = inside(options.folder, source)
    const stats = await lstat(path)
    const target = !stats.isDirectory() && intoFolder ? join(options.target, basename(path)) : options.target
    return copy(path, imagePath(target), options)
  })
  return (await Promise.all(copies)).flat()
}

async function copy(from: string, to: string, options: CopyOptions): Promise<TarEntry[]> {
  const { uid = 0, gid = 0 } = options
  const stats = await lstat(from)
  const mode = options.mode ?? stats.mode & 0o7777
  if (stats.isSymbolicLink()) return [{ type: 'link', path: to, target: await readlink(from), uid, gid }]
  if (stats.isFile()) return [{ type: 'file', path: to, mode, uid, gid, content: fileContent(from, stats.size) }]
  if (!stats.isDirectory()) throw new Error(`${from} is neither a file nor a folder`)
  const names = (await readdir(from)).sort()
  const below = await Promise.all(names.map((name) => copy(join(from, name), join(to, name), options)))
  const folder: TarEntry = { type: 'directory', path: to, mode: stats.mode & 0o7777, uid, gid }
  return to === '.' || to === '' ? below.flat() : [folder, ...below.flat()]
}

function inside(folder: string, source: string): string {
  const path = join(folder, source)
  if (relative(folder, path).startsWith('..')) throw new Error(`${source} is outside of the folder that is built`)
  return path
}

/** Without slashes at its ends. */
function imagePath(path: string): string {
  return normalize(path).replace(/^\/+|\/+$/g, '')
}
