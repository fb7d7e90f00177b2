import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileContent, fileContent, readContent } from '../file-content.js'
import { ArchiveError } from './archive-error.js'
import { type ScannedArchive, type ScannedFile, scanArchive } from './archive-scan.js'
import { compressionIn, decompressed } from './compression.js'
import { defaultSizeLimit, SizeLimit } from './size-limit.js'

export interface OpenArchiveOptions {
  /** Folder for a copy of a source that cannot be read twice: a pipe or a compressed file. The caller removes it. */
  readonly temporary: string
  /** In bytes, decompressed. */
  readonly sizeLimit?: number
}

/** The limit of containerd for manifests. */
const maxDocumentSize = 8 << 20
const maxLinks = 10
let copies = 0

/** The files of a scanned archive. Contents stay on disk. */
export class ArchiveFiles {
  readonly #path: string
  readonly #scanned: ScannedArchive

  constructor(path: string, scanned: ScannedArchive) {
    this.#path = path
    this.#scanned = scanned
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  get names(): string[] {
    return [...this.#scanned.files.keys()]
  }

  /** Throws if the archive has no such file. */
  file(name: string): ScannedFile & { readonly content: FileContent } {
    const file = this.#find(name)
    if (!file) throw new ArchiveError(`the archive is incomplete: it has no ${name}`)
    return { ...file, content: fileContent(this.#path, file.size, file.start) }
  }

  async json(name: string): Promise<unknown> {
    const { content, size } = this.file(name)
    if (size > maxDocumentSize) throw new ArchiveError(`${name} in the archive is too large for a JSON document`)
    const text = (await readContent(content, maxDocumentSize)).toString()
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new ArchiveError(`${name} in the archive is not valid JSON: ${(error as Error).message}`)
    }
  }

  #find(name: string): ScannedFile | undefined {
    const { files, links } = this.#scanned
    let path = name
    for (let link = links.get(path), count = 0; link !== undefined && count < maxLinks; count++) {
      path = link
      link = links.get(path)
    }
    return files.get(path)
  }
}

/** Opens an archive from a path or a stream. Rejects one that is damaged, malicious or larger than the limit. */
export async function openArchive(
  source: string | AsyncIterable<Uint8Array>,
  { temporary, sizeLimit = defaultSizeLimit }: OpenArchiveOptions,
): Promise<ArchiveFiles> {
  const limit = new SizeLimit(sizeLimit, 'the archive')
  if (typeof source === 'string' && (await isPlainFile(source)))
    return new ArchiveFiles(source, await scanArchive(limit.count(createReadStream(source))))
  const chunks = typeof source === 'string' ? createReadStream(source) : source
  const copy = join(temporary, `archive-${copies++}.tar`)
  return new ArchiveFiles(copy, await scanArchive(copying(limit.count(decompressed(chunks)), copy)))
}

async function isPlainFile(path: string): Promise<boolean> {
  const stats = await stat(path)
  if (stats.isDirectory()) throw new ArchiveError(`${path} is a folder; an archive is needed`)
  return stats.isFile() && (await compressionIn(fileContent(path, stats.size))) === 'none'
}

/** Yields the bytes, and also writes them to a file. */
async function* copying(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      await file.appendFile(chunk).catch((error: unknown) => {
        throw explainNoSpace(error, path)
      })
      yield chunk
    }
  } finally {
    await file.close()
  }
}

function explainNoSpace(error: unknown, path: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error
  return new ArchiveError(
    `no space left for a copy of the archive in ${dirname(path)}; set TMPDIR to a folder on a larger disk`,
  )
}
