import { type FileHandle, open } from 'node:fs/promises'
import type { Environment } from '../../../base/environment.js'
import { readSample, type Sample } from './sample.js'
import { SampleStore } from './sample-store.js'
import type { UsageEstimate, UsageHistory, UsageQuery } from './usage-history.js'

/** How often the file is read at most, in milliseconds. */
const refreshInterval = 10_000
const pieceSize = 1 << 20

/**
 * Reads usage samples from a file that another program appends to, one sample per line (`sample.ts`). A query reads only what was appended
 * since the last one; a replaced file is read from the start. Skips and logs invalid lines.
 */
export class FileUsageHistory implements UsageHistory {
  readonly #path: string
  readonly #environment: Environment
  readonly #samples = new SampleStore()
  #readAt = Number.NEGATIVE_INFINITY
  /** Concurrent queries share one read. */
  #reading: Promise<void> | undefined
  #inode = 0
  #offset = 0
  /** The last line, while it is incomplete. */
  #incomplete = Buffer.alloc(0)

  constructor(path: string, environment: Environment) {
    this.#path = path
    this.#environment = environment
  }

  async usage(query: UsageQuery): Promise<UsageEstimate> {
    const { clock } = this.#environment
    if (clock.monotonic() - this.#readAt >= refreshInterval) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
        this.#readAt = clock.monotonic()
      })
      await this.#reading
    }
    return this.#samples.usage(query)
  }

  async #read(): Promise<void> {
    await using file = await open(this.#path, 'r')
    const { ino, size } = await file.stat()
    if (ino !== this.#inode || size < this.#offset) this.#reset(ino)
    await this.#readFrom(file)
    this.#samples.removeOld(this.#environment.clock.now())
  }

  #reset(inode: number): void {
    this.#inode = inode
    this.#offset = 0
    this.#incomplete = Buffer.alloc(0)
    this.#samples.clear()
  }

  async #readFrom(file: FileHandle): Promise<void> {
    const piece = Buffer.alloc(pieceSize)
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, pieceSize, this.#offset)
      if (bytesRead === 0) return
      this.#offset += bytesRead
      this.#addLines(Buffer.concat([this.#incomplete, piece.subarray(0, bytesRead)]))
    }
  }

  #addLines(bytes: Buffer): void {
    const end = bytes.lastIndexOf(10) + 1
    this.#incomplete = Buffer.from(bytes.subarray(end))
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) {
      const sample = line.trim() === '' ? undefined : this.#sampleIn(line)
      if (sample) this.#samples.add(sample)
    }
  }

  #sampleIn(line: string): Sample | undefined {
    try {
      return readSample(line)
    } catch (error) {
      this.#environment.log.warn('usage history line invalid', { file: this.#path, line, error })
      return undefined
    }
  }
}
