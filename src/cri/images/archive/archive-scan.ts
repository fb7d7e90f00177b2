import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { tarFlags } from '../../../base/tar/header.js'
import { readTar, type TarReaderEntry } from '../../../base/tar/reader.js'
import { ArchiveError } from './archive-error.js'

/** A file in an archive: where its content lies, and the digest of it. */
export interface ScannedFile {
  readonly start: number
  readonly size: number
  /** Of the content as it is in the archive, in hexadecimal digits. */
  readonly sha256: string
}

export interface ScannedArchive {
  /** By path, relative and without `.` and `..`. */
  readonly files: ReadonlyMap<string, ScannedFile>
  /** Where links lead, by the path of the link. `docker save` writes a layer that is used twice as a link. */
  readonly links: ReadonlyMap<string, string>
}

/** An image has some hundred entries. The names of all entries are held in memory. */
const maxEntries = 100_000

/** Reads an archive of images once from begin to end, and notes what is in it. Rejects an archive that is damaged or hostile. */
export async function scanArchive(chunks: AsyncIterable<Uint8Array>): Promise<ScannedArchive> {
  const files = new Map<string, ScannedFile>()
  const links = new Map<string, string>()
  for await (const entry of archiveEntries(chunks)) {
    if (entry.flag === tarFlags.directory) continue
    const path = pathInside(entry.name, entry.name)
    if (files.has(path) || links.has(path)) throw new ArchiveError(`the archive has ${path} twice`)
    if (files.size + links.size >= maxEntries) throw new ArchiveError(`the archive has more than ${maxEntries} entries`)
    if (entry.flag === tarFlags.file)
      files.set(path, { start: entry.start, size: entry.size, sha256: await sha256Of(entry.chunks()) })
    else links.set(path, linkTarget(entry, path))
  }
  if (files.size === 0) throw new ArchiveError('the archive is empty')
  return { files, links }
}

/** The entries of a tar archive, with errors that say what is wrong with it. */
export async function* archiveEntries(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarReaderEntry> {
  for await (const entry of withArchiveErrors(readTar(chunks)))
    yield { ...entry, chunks: () => withArchiveErrors(entry.chunks()) }
}

async function* withArchiveErrors<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    throw archiveErrorFor(error)
  }
}

const tarErrorMessages: Readonly<Record<string, string>> = {
  'unexpected EOF': 'the archive ends too early; it is incomplete',
  'archive/tar: invalid tar header': 'this is no tar archive, or it is damaged',
}

function archiveErrorFor(error: unknown): unknown {
  const problem = error instanceof Error ? tarErrorMessages[error.message] : undefined
  return problem === undefined ? error : new ArchiveError(problem)
}

/** As Linux has it. Archives can hold longer ones, only to fill the memory of who reads them. */
export const maxPathLength = 4096

/** Normalises a path. Refuses one that leads out of the archive; `entry` is named in the error. */
function pathInside(path: string, entry: string): string {
  if (path.length > maxPathLength) throw new ArchiveError('the archive has an entry with a path that is too long')
  const normal = posix.normalize(path)
  if (normal.startsWith('/') || normal.split('/').includes('..') || normal.includes('\0'))
    throw new ArchiveError(`the archive has an entry that leads outside of it: ${JSON.stringify(entry)}`)
  return normal
}

function linkTarget({ flag, name, target }: TarReaderEntry, path: string): string {
  if (flag === tarFlags.hardLink) return pathInside(target, name)
  if (flag !== tarFlags.link)
    throw new ArchiveError(`the archive has an entry that is neither a file, a folder nor a link: ${path}`)
  if (target.startsWith('/')) return pathInside(target, name)
  return pathInside(posix.join(posix.dirname(path), target), name)
}

export async function sha256Of(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
