import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { tarFlags } from '../../../base/tar/header.js'
import { readTar, type TarReaderEntry } from '../../../base/tar/reader.js'
import { ArchiveError } from './archive-error.js'

/** Position and digest of a file in an archive. */
export interface ScannedFile {
  readonly start: number
  readonly size: number
  /** Of the stored content, in hexadecimal. */
  readonly sha256: string
}

export interface ScannedArchive {
  /** By path, relative and without `.` and `..`. */
  readonly files: ReadonlyMap<string, ScannedFile>
  /** Targets of links, by path. `docker save` writes a link for a layer that occurs twice. */
  readonly links: ReadonlyMap<string, string>
}

/** The names of all entries are held in memory. An image has a few hundred. */
const maxEntries = 100_000

/** Reads an archive once and records its files. Rejects an archive that is damaged or malicious. */
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

/** Yields the entries of a tar archive. Throws an `ArchiveError` for one that is damaged. */
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
  'unexpected EOF': 'the archive is incomplete',
  'archive/tar: invalid tar header': 'the file is not a tar archive, or it is damaged',
}

function archiveErrorFor(error: unknown): unknown {
  const problem = error instanceof Error ? tarErrorMessages[error.message] : undefined
  return problem === undefined ? error : new ArchiveError(problem)
}

/** Linux's limit. A longer path only serves to exhaust the reader's memory. */
export const maxPathLength = 4096

/** Normalises a path. Rejects one that leads outside of the archive; the error names `entry`. */
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
