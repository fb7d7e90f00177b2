import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { blockSize, tarFlags, tarHeader } from '../../../base/tar/header.js'
import type { TarReaderEntry } from '../../../base/tar/reader.js'
import type { StreamedContent } from '../../../base/tar/writer.js'
import { ArchiveError } from '../archive/archive-error.js'
import { archiveEntries, maxPathLength } from '../archive/archive-scan.js'
import { compressionIn, decompressed } from '../archive/compression.js'
import { type FileContent, fileContent, isFileContent } from '../file-content.js'
import type { LayerChange } from './file-tree.js'

/** Returns the changes of a layer. File contents are read on demand; a compressed layer is then decompressed to a file in `temporary`. */
export async function layerChanges(content: StreamedContent, temporary: string): Promise<LayerChange[]> {
  const plain = await plainArchive(content, temporary)
  const changes: LayerChange[] = []
  for await (const entry of archiveEntries(decompressed(content.chunks()))) {
    const path = layerPath(entry.name)
    if (path !== '') changes.push(changeOf(entry, path, plain))
  }
  return changes
}

/** Whether the decompressed content starts with a tar header. */
export async function isTarArchive(content: StreamedContent): Promise<boolean> {
  const head: Uint8Array[] = []
  let length = 0
  for await (const chunk of decompressed(content.chunks())) {
    head.push(chunk)
    length += chunk.length
    if (length >= blockSize) break
  }
  const block = Buffer.concat(head).subarray(0, blockSize)
  return block.length === blockSize && tarHeader(block) !== undefined
}

/** Returns a range of the decompressed archive. */
type ArchiveRange = (start: number, size: number) => StreamedContent

let copies = 0

async function plainArchive(content: StreamedContent, temporary: string): Promise<ArchiveRange> {
  if (isFileContent(content) && (await compressionIn(content)) === 'none') return (...part) => content.part(...part)
  let copy: Promise<FileContent> | undefined
  return (start, size) => ({
    size,
    async *chunks() {
      copy ??= decompressedCopy(content, join(temporary, `layer-${copies++}.tar`))
      yield* (await copy).part(start, size).chunks()
    },
  })
}

async function decompressedCopy(content: StreamedContent, path: string): Promise<FileContent> {
  await pipeline(decompressed(content.chunks()), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return fileContent(path, (await stat(path)).size)
}

function layerPath(name: string): string {
  if (name.length > maxPathLength) throw new ArchiveError('the archive has an entry with a path that is too long')
  const path = posix.normalize(`/${name}`).slice(1).replace(/\/$/, '')
  if (name.split('/').includes('..'))
    throw new ArchiveError(`a path leads outside of the archive: ${JSON.stringify(name)}`)
  return path
}

function changeOf(entry: TarReaderEntry, path: string, archive: ArchiveRange): LayerChange {
  const { flag, target, mode, uid, gid, start, size } = entry
  if (flag === tarFlags.hardLink) return { type: 'hardLink', path, target: layerPath(target) }
  if (flag === tarFlags.link) return { type: 'link', path, target, uid, gid }
  if (flag === tarFlags.directory) return { type: 'directory', path, mode, uid, gid }
  if (flag !== tarFlags.file) return { type: 'special', path }
  return { type: 'file', path, mode, uid, gid, content: archive(start, size) }
}
