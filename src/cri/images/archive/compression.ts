import { Buffer } from 'node:buffer'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import { type FileContent, readContent } from '../file-content.js'
import { ArchiveError } from './archive-error.js'

export type Compression = 'none' | 'gzip' | 'zstd' | 'xz' | 'bzip2'

/** The first bytes of each compression format. */
const magicBytes: readonly [Exclude<Compression, 'none'>, Buffer][] = [
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])],
  ['bzip2', Buffer.from('BZh')],
]
const maxMagicLength = 6
/** Larger than Node's default of 16 KiB, whose overhead would exceed the cost of decompression. */
const chunkSize = 1 << 18

export function compressionOf(head: Uint8Array): Compression {
  const found = magicBytes.find(([, magic]) => magic.equals(head.subarray(0, magic.length)))
  return found?.[0] ?? 'none'
}

export async function compressionIn(content: FileContent): Promise<Compression> {
  return compressionOf(await readContent(content.part(0, Math.min(content.size, maxMagicLength)), maxMagicLength))
}

/** Returns the compression of `chunks`, and an iterable over the same bytes. */
async function detectCompression(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly compression: Compression; readonly chunks: AsyncIterable<Uint8Array> }> {
  const source = chunks[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  let length = 0
  while (length < maxMagicLength) {
    const { done, value } = await source.next()
    if (done) break
    taken.push(value)
    length += value.length
  }
  return { compression: compressionOf(Buffer.concat(taken)), chunks: concatenated(taken, source) }
}

async function* concatenated(
  taken: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* taken
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** Decompresses gzip, and zstd if this version of Node supports it. Yields uncompressed bytes unchanged. */
export async function* decompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const detected = await detectCompression(chunks)
  if (detected.compression === 'none') return yield* detected.chunks
  const decoder = decoderFor(detected.compression)
  const feeding = pipeline(Readable.from(detected.chunks, { objectMode: false }), decoder)
  feeding.catch(() => {}) // the reader of the decoder gets the same error
  try {
    yield* decoder as AsyncIterable<Uint8Array>
  } catch (error) {
    throw isDecoderError(error) ? new ArchiveError(decoderErrorMessage(detected.compression, error)) : error
  }
}

function decoderFor(compression: Compression): Transform {
  if (compression === 'gzip') return zlib.createGunzip({ chunkSize })
  // Available since Node 22.15.
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform }
  if (compression === 'zstd' && createZstdDecompress) return createZstdDecompress()
  const remedy = compression === 'zstd' ? 'use Node 22.15 or newer, or gzip' : 'use gzip, or no compression'
  throw new ArchiveError(`${compression} compression is not supported; ${remedy}`)
}

function isDecoderError(error: unknown): error is NodeJS.ErrnoException {
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' && /^(Z_|ZSTD_)/.test(code)
}

function decoderErrorMessage(compression: Compression, { code, message }: NodeJS.ErrnoException): string {
  return code === 'Z_BUF_ERROR'
    ? `the ${compression} data is incomplete`
    : `the ${compression} data is damaged: ${message}`
}
