import { dirname, join, relative } from 'node:path'
import { tarFlags } from '../../base/tar/header.js'
import { readTar, type TarReaderEntry } from '../../base/tar/reader.js'
import { fileError } from '../../client/host-access.js'
import { quote } from '../../schema/quote.js'
import type { LocalFiles } from '../environment.js'
import { archivePrefix, type CopyLocation, remotePath, withoutShortcuts, withoutSlash } from './location.js'

interface UnpackOptions {
  /** The location that was packed. */
  readonly source: CopyLocation
  /** The local target: a directory, or the path of a file. */
  readonly folder: string
  readonly folders: LocalFiles
  readonly err: (text: string) => Promise<void>
  /** Called after the last entry. */
  readonly whole: () => void
}

/**
 * Unpacks an archive from a container. The content is not trusted: nothing is written outside of the target, and links are skipped, because
 * later entries could follow them.
 */
export async function unpack(archive: AsyncIterable<Uint8Array>, unpacking: UnpackOptions): Promise<void> {
  const links = new SkippedLinks(unpacking)
  for await (const entry of readTar(archive, unpacking.whole)) {
    const path = targetOf(entry.name, unpacking)
    if (!isInside(unpacking.folder, path))
      await unpacking.err(`warning: file ${quote(path)} is outside target destination, skipping\n`)
    else if (entry.flag === tarFlags.link) await links.tell(path, entry.target)
    else await place(entry, path, unpacking)
  }
}

/** Returns the local path of an entry. Throws if the entry does not belong to the requested path. */
function targetOf(name: string, { source, folder }: Pick<UnpackOptions, 'source' | 'folder'>): string {
  const prefix = archivePrefix(source.path)
  const rest = name.slice(prefix.length)
  if (!name.startsWith(prefix) || (prefix !== '' && rest !== '' && !rest.startsWith('/')))
    throw new Error('tar contents corrupted')
  return withoutSlash(join(folder, remotePath(rest)))
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === withoutShortcuts(way)
}

async function place(
  entry: TarReaderEntry,
  path: string,
  { source, folder, folders, err }: UnpackOptions,
): Promise<void> {
  const isFolder = entry.flag === tarFlags.directory
  await make(folders, isFolder ? path : dirname(path))
  if (isFolder) return
  const content = entry.flag === tarFlags.hardLink ? await linked(entry, { source, folder, folders }) : entry.chunks()
  if (!content) return err(`warning: skipping hard link: ${quote(path)} -> ${quote(entry.target)}\n`)
  await folders.write(path, content).catch((error: unknown) => {
    throw isOfFiles(error) ? fileError('open', path, error) : error
  })
}

/** Copies the file that a hard link refers to. */
async function linked(
  { target }: TarReaderEntry,
  place: Pick<UnpackOptions, 'source' | 'folder' | 'folders'>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const path = targetOf(target, place)
  const seen = isInside(place.folder, path) ? await place.folders.lstat(path) : undefined
  return seen?.type === 'file' ? place.folders.chunks(path, seen.size) : undefined
}

async function make(folders: LocalFiles, path: string): Promise<void> {
  await folders.makeDirectory(path).catch((error: unknown) => {
    throw fileError('mkdir', path, error)
  })
}

function isOfFiles(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall === 'open'
}

/** Warns about skipped links, once. */
class SkippedLinks {
  readonly #unpacking: UnpackOptions
  #isAdvised = false

  constructor(unpacking: UnpackOptions) {
    this.#unpacking = unpacking
  }

  async tell(path: string, target: string): Promise<void> {
    const { err, source } = this.#unpacking
    const { namespace, pod } = source
    const line = `kubectl exec -n ${quote(namespace)} ${quote(pod)} -- tar cf - ${quote(source.path)} | tar xf -`
    const advice = this.#isAdvised ? '' : ` (consider using "${line}")`
    this.#isAdvised = true
    await err(`warning: skipping symlink: ${quote(path)} -> ${quote(target)}${advice}\n`)
  }
}
