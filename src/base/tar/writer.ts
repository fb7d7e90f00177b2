import { Buffer } from 'node:buffer'
import { blockSize } from './header.js'

/** The content of a file: in memory, or a stream that can be opened any number of times. */
export type TarContent = Uint8Array | StreamedContent

export interface StreamedContent {
  readonly size: number
  chunks(): AsyncIterable<Uint8Array>
}

/** One entry of an archive. Paths are relative to its root, without a slash at either end. */
export type TarEntry = {
  readonly path: string
  readonly mode?: number
  readonly uid?: number
  readonly gid?: number
} & (
  | { readonly type: 'file'; readonly content: TarContent }
  | { readonly type: 'directory' }
  | { readonly type: 'link'; readonly target: string }
)

const typeFlags = { file: '0', link: '2', directory: '5' } as const
const usualModes = { file: 0o644, link: 0o777, directory: 0o755 } as const
const longestName = 100
/** Numbers are octal digits: eleven for a size, seven for an owner. Larger ones are in the pax header. */
const largestSize = 8 ** 11 - 1
const largestId = 8 ** 7 - 1

/**
 * Yields an archive in chunks. The same entries give the same bytes: times are the epoch, owners are those of the entries (root by
 * default). Long names and large numbers are in a pax header before the entry.
 */
export async function* tarChunks(entries: Iterable<TarEntry> | AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    const extended = paxRecords(entry)
    if (extended.length > 0) {
      yield header({ path: 'PaxHeaders', flag: 'x', size: extended.length, mode: 0o644, target: '', uid: 0, gid: 0 })
      yield extended
      yield padding(extended.length)
    }
    yield header(headerOf(entry))
    if (entry.type === 'file') {
      yield* contentChunks(entry.content)
      yield padding(contentSize(entry.content))
    }
  }
  yield Buffer.alloc(2 * blockSize)
}

function contentSize(content: TarContent): number {
  return content instanceof Uint8Array ? content.length : content.size
}

/** Returns content in memory as a stream. */
export function contentStream(content: TarContent): StreamedContent {
  if (!(content instanceof Uint8Array)) return content
  return { size: content.length, chunks: () => contentChunks(content) }
}

/** Yields the whole content in chunks. */
export async function* contentChunks(content: TarContent): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  else yield* content.chunks()
}

function padding(size: number): Uint8Array {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize)
}

interface Header {
  readonly path: string
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  readonly flag: string
  readonly target: string
}

function headerOf(entry: TarEntry): Header {
  const { type, mode = usualModes[type], uid = 0, gid = 0 } = entry
  const size = entry.type === 'file' ? contentSize(entry.content) : 0
  const target = entry.type === 'link' ? entry.target : ''
  return { path: nameOf(entry), mode, uid, gid, size, flag: typeFlags[type], target }
}

/** Folders have a slash at the end, besides their type. */
function nameOf({ path, type }: TarEntry): string {
  return type === 'directory' ? `${path}/` : path
}

function paxRecords(entry: TarEntry): Buffer {
  const records: string[] = []
  const add = (key: string, value: string) => records.push(paxRecord(key, value))
  const name = nameOf(entry)
  if (Buffer.byteLength(name) > longestName || !isPlain(name)) add('path', name)
  if (entry.type === 'link' && (Buffer.byteLength(entry.target) > longestName || !isPlain(entry.target)))
    add('linkpath', entry.target)
  if (entry.type === 'file' && contentSize(entry.content) > largestSize) add('size', `${contentSize(entry.content)}`)
  for (const key of ['uid', 'gid'] as const) if ((entry[key] ?? 0) > largestId) add(key, `${entry[key]}`)
  return Buffer.from(records.join(''))
}

/** A record starts with its own length, which includes the digits of that length. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const length = Buffer.byteLength(rest)
  let total = length
  while (total !== length + `${total}`.length) total = length + `${total}`.length
  return `${total}${rest}`
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function header({ path, mode, uid, gid, size, flag, target }: Header): Buffer {
  const block = Buffer.alloc(blockSize)
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(path.slice(0, longestName), 0, longestName, 'latin1')
  octal(mode, 100, 8)
  octal(uid > largestId ? 0 : uid, 108, 8)
  octal(gid > largestId ? 0 : gid, 116, 8)
  octal(size > largestSize ? 0 : size, 124, 12)
  octal(0, 136, 12) // time
  block.fill(' ', 148, 156) // the sum counts itself as spaces
  block.write(flag, 156, 'latin1')
  block.write(target.slice(0, longestName), 157, longestName, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  block.write(`${sum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function sum(block: Uint8Array): number {
  return block.reduce((total, byte) => total + byte, 0)
}
