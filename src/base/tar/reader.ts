import { Buffer } from 'node:buffer'
import { blockSize, isZero, paxValues, type TarHeader, tarFlags, tarHeader, textAt } from './header.js'

/** An entry of an archive that is being read. */
export interface TarReaderEntry extends TarHeader {
  /** Offset of the content in the archive. */
  readonly start: number
  /** Must be read before the next entry is requested. It need not be read. */
  chunks(): AsyncGenerator<Uint8Array>
}

/** Upper bound of the records with long names. */
const longestRecords = 1 << 20

/**
 * Yields the entries of an archive as a stream, without holding them in memory. Reads the source to its end, also after the end of the
 * archive, and closes it if the caller stops early. Throws for invalid and for truncated archives. Calls `whole` when all entries and the
 * end mark have been read.
 */
export async function* readTar(archive: AsyncIterable<Uint8Array>, whole = () => {}): AsyncGenerator<TarReaderEntry> {
  const bytes = new Bytes(archive)
  try {
    if (!(yield* entries(bytes))) return
    whole()
    await bytes.drain()
  } finally {
    await bytes.close()
  }
}

/** Returns whether the archive has its end mark. */
async function* entries(bytes: Bytes): AsyncGenerator<TarReaderEntry, boolean> {
  let forAll: Readonly<Record<string, string>> = {}
  let forNext: Readonly<Record<string, string>> = {}
  for (;;) {
    const block = await bytes.block()
    if (!block) return false
    if (isZero(block)) return true
    const header = tarHeader(block, { ...forAll, ...forNext })
    if (!header) throw new Error('archive/tar: invalid tar header')
    const described = await records(header, bytes)
    if (described && header.flag === tarFlags.paxForAll) forAll = { ...forAll, ...described }
    else if (described) forNext = { ...forNext, ...described }
    else {
      forNext = {}
      yield* entry(header, bytes)
    }
  }
}

/** Returns what an entry says about other entries; undefined for an ordinary entry. */
async function records(header: TarHeader, bytes: Bytes): Promise<Readonly<Record<string, string>> | undefined> {
  const { flag, size } = header
  const isPax = flag === tarFlags.pax || flag === tarFlags.paxForAll
  if (!isPax && flag !== tarFlags.longName && flag !== tarFlags.longTarget) return undefined
  if (size > longestRecords) throw new Error('archive/tar: invalid tar header')
  const content = await bytes.take(size)
  await bytes.skip(paddingOf(size))
  if (isPax) return paxValues(content)
  return { [flag === tarFlags.longName ? 'path' : 'linkpath']: textAt(content, 0, content.length) }
}

async function* entry(header: TarHeader, bytes: Bytes): AsyncGenerator<TarReaderEntry> {
  let left = header.size
  const chunks = async function* () {
    while (left > 0) {
      const chunk = await bytes.some(left)
      left -= chunk.length
      yield chunk
    }
  }
  yield { ...header, start: bytes.position, chunks }
  await bytes.skip(left + paddingOf(header.size))
}

function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize
}

/** Reads a stream of chunks in pieces of other sizes. */
class Bytes {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)
  #position = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The number of bytes taken. */
  get position(): number {
    return this.#position
  }

  /** Returns undefined at the end. */
  async block(): Promise<Buffer | undefined> {
    if (this.#rest.length === 0 && !(await this.#more())) return undefined
    return this.take(blockSize)
  }

  async take(count: number): Promise<Buffer> {
    const taken: Buffer[] = []
    for (let left = count; left > 0; left -= taken.at(-1)!.length) taken.push(await this.some(left))
    return Buffer.concat(taken)
  }

  /** Returns at least one byte, and at most `most`. */
  async some(most: number): Promise<Buffer> {
    if (this.#rest.length === 0 && !(await this.#more())) throw new Error('unexpected EOF')
    const taken = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(taken.length)
    this.#position += taken.length
    return taken
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.some(left)).length
  }

  async drain(): Promise<void> {
    do this.#rest = Buffer.alloc(0)
    while (await this.#more())
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #more(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) return false
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
    return true
  }
}
