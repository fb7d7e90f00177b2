import { type FileHandle, open } from 'node:fs/promises'
import type { Environment } from '../../../base/environment.js'
import { readSample, type Sample } from './sample.js'
import { SampleStore } from './sample-store.js'
import type { UsageEstimate, UsageHistory, UsageQuery } from './usage-history.js'

/** How long what was read last is good enough, in milliseconds. */
const freshness = 10_000
const pieceSize = 1 << 20

/**
 * A file to which others append what containers use, a sample a line (`sample.ts`). What is appended is read when somebody asks,
 * and only that; a file that was replaced is read anew. Lines that cannot be read are told and left out.
 */
export class FileUsageHistory implements UsageHistory {
  readonly #path: string
  readonly #environment: Environment
  readonly #samples = new SampleStore()
  #readAt = Number.NEGATIVE_INFINITY
  /** Everyone who asks meanwhile waits for the same reading. */
  #reading: Promise<void> | undefined
  #file = 0
  #offset = 0
  /** The last line, if its end has not been written yet. */
  #rest = Buffer.alloc(0)

  constructor(path: string, environment: Environment) {
    this.#path = path
    this.#environment = environment
  }

  async usage(question: UsageQuery): Promise<UsageEstimate> {
    const { clock } = this.#environment
    if (clock.monotonic() - this.#readAt >= freshness) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
        this.#readAt = clock.monotonic()
      })
      await this.#reading
    }
    return this.#samples.usage(question)
  }

  async #read(): Promise<void> {
    await using file = await open(this.#path, 'r')
    const { ino, size } = await file.stat()
    if (ino !== this.#file || size < this.#offset) this.#startOver(ino)
    await this.#readFrom(file)
    this.#samples.forget(this.#environment.clock.now())
  }

  #startOver(file: number): void {
    this.#file = file
    this.#offset = 0
    this.#rest = Buffer.alloc(0)
    this.#samples.clear()
  }

  async #readFrom(file: FileHandle): Promise<void> {
    const piece = Buffer.alloc(pieceSize)
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, pieceSize, this.#offset)
      if (bytesRead === 0) return
      this.#offset += bytesRead
      this.#take(Buffer.concat([this.#rest, piece.subarray(0, bytesRead)]))
    }
  }

  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(10) + 1
    this.#rest = Buffer.from(bytes.subarray(end))
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) {
      const sample = line.trim() === '' ? undefined : this.#sampleIn(line)
      if (sample) this.#samples.add(sample)
    }
  }

  #sampleIn(line: string): Sample | undefined {
    try {
      return readSample(line)
    } catch (error) {
      this.#environment.log.warn('a line of the usage history cannot be read', { file: this.#path, line, error })
      return undefined
    }
  }
}
