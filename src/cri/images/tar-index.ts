import { Buffer } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { blockSize, isZero, paxValues, type TarHeader, tarFlags, tarHeader } from '../../base/tar/header.js'
import type { StreamedContent } from '../../base/tar/writer.js'
import { fileContent } from './file-content.js'

/** The files in an archive, by name, each as a part of it: nothing is unpacked. */
export interface TarIndex {
  readonly names: readonly string[]
  /** Throws when there is no such file. */
  content(name: string): StreamedContent
  read(name: string): Promise<Buffer>
}

/** Reads where the files of an archive lie. Rejects when it is no archive. */
export async function indexTar(path: string): Promise<TarIndex> {
  const files = new Map<string, Part>()
  await withFile(path, async (file) => {
    for await (const { name, start, size } of filesIn(file, path)) files.set(name, { start, size })
  })
  const find = (name: string) => {
    const part = files.get(name)
    if (!part) throw new Error(`${path} has no ${name}`)
    return part
  }
  return {
    names: [...files.keys()],
    content(name) {
      const { start, size } = find(name)
      return fileContent(path, size, start)
    },
    async read(name) {
      const { start, size } = find(name)
      return withFile(path, (file) => readPart(file, start, size))
    },
  }
}

interface Part {
  readonly start: number
  readonly size: number
}

async function* filesIn(file: FileHandle, path: string): AsyncGenerator<Part & { readonly name: string }> {
  let extended: Readonly<Record<string, string>> = {}
  for (let position = 0; ; ) {
    const block = await readPart(file, position, blockSize)
    if (block.length < blockSize || isZero(block)) return
    const { name, size, flag } = read(block, extended, path)
    const start = position + blockSize
    if (flag === tarFlags.file) yield { name: name.replace(/^\.\//, ''), start, size }
    extended = flag === tarFlags.pax ? paxValues(await readPart(file, start, size)) : {}
    position = start + Math.ceil(size / blockSize) * blockSize
  }
}

function read(block: Buffer, extended: Readonly<Record<string, string>>, path: string): TarHeader {
  const header = tarHeader(block, extended)
  if (!header) throw new Error(`${path} is no tar archive`)
  return header
}

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function readPart(file: FileHandle, start: number, size: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, start)
  return buffer.subarray(0, bytesRead)
}
