import { ArchiveError } from './archive-error.js'

/** Enough for the largest images in use, and far below what a decompression bomb expands to. */
export const defaultSizeLimit = 32 * 2 ** 30

/** Counts the bytes of one or more streams against one limit. */
export class SizeLimit {
  readonly #limit: number
  readonly #subject: string
  #remaining: number

  /** `subject` is the subject of the error message: `the archive`. */
  constructor(limit: number, subject: string) {
    this.#limit = limit
    this.#remaining = limit
    this.#subject = subject
  }

  async *count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#remaining -= chunk.length
      if (this.#remaining < 0) throw this.exceeded()
      yield chunk
    }
  }

  exceeded(): ArchiveError {
    return new ArchiveError(`${this.#subject} is larger than ${readable(this.#limit)} when it is unpacked`)
  }
}

function readable(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`
}
