import { Buffer } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { fileContent, type StreamedContent } from './tar.js'

const blockSize = 512

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
    if (block.length < blockSize || block.every((byte) => byte === 0)) return
    if (!isHeader(block)) throw new Error(`${path} is no tar archive`)
    const size = Number(extended.size ?? octal(block, 124, 12))
    const name = (extended.path ?? longName(block)).replace(/^\.\//, '')
    const start = position + blockSize
    const flag = block[156]!
    if (fileFlags.includes(flag)) yield { name, start, size }
    extended = flag === paxFlag ? paxValues(await readPart(file, start, size)) : {}
    position = start + Math.ceil(size / blockSize) * blockSize
  }
}

const fileFlags = [0x30, 0] // '0', and what it was before there was a standard
const paxFlag = 0x78 // 'x'

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

function isHeader(block: Buffer): boolean {
  const blank = Buffer.from(block).fill(' ', 148, 156)
  return octal(block, 148, 8) === blank.reduce((total, byte) => total + byte, 0)
}

function octal(block: Buffer, at: number, length: number): number {
  return Number.parseInt(block.toString('latin1', at, at + length).replace(/[\0 ]+$/, ''), 8) || 0
}

function longName(block: Buffer): string {
  const [name, prefix] = [textAt(block, 0, 100), textAt(block, 345, 155)]
  return prefix ? `${prefix}/${name}` : name
}

function textAt(block: Buffer, at: number, length: number): string {
  return block.toString('utf8', at, at + length).replace(/\0.*$/s, '')
}

function paxValues(records: Buffer): Record<string, string> {
  const values: Record<string, string> = {}
  for (let at = 0; at < records.length; ) {
    const length = Number.parseInt(records.toString('latin1', at, at + 20), 10)
    if (!(length > 0)) break
    const record = records.toString('utf8', at, at + length - 1)
    const equals = record.indexOf('=')
    values[record.slice(record.indexOf(' ') + 1, equals)] = record.slice(equals + 1)
    at += length
  }
  return values
}
