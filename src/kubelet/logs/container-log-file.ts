import { type FileHandle, open, stat } from 'node:fs/promises'

const blockSize = 64 * 1024
const lineEnd = 0x0a

/** A file that is read while somebody writes it. */
export class ContainerLogFile {
  readonly #handle: FileHandle
  readonly #inode: number
  #position: number
  /** The beginning of a line whose end has not been written yet. */
  #rest: Buffer = Buffer.alloc(0)

  private constructor(handle: FileHandle, inode: number, position: number) {
    this.#handle = handle
    this.#inode = inode
    this.#position = position
  }

  /** From its beginning, or from so many lines before its end. */
  static async open(path: string, tailLines?: number): Promise<ContainerLogFile> {
    const handle = await open(path, 'r')
    try {
      const { ino, size } = await handle.stat()
      return new ContainerLogFile(handle, ino, tailLines === undefined ? 0 : await tailStart(handle, size, tailLines))
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** The next lines, each with its end; none if no line has been written to its end since. */
  async lines(): Promise<readonly Buffer[]> {
    for (;;) {
      const block = Buffer.allocUnsafe(blockSize)
      const { bytesRead } = await this.#handle.read(block, 0, blockSize, this.#position)
      if (bytesRead === 0) return []
      this.#position += bytesRead
      const lines = this.#cut(block.subarray(0, bytesRead))
      if (lines.length > 0) return lines
    }
  }

  /** What is left where nobody will end the line. */
  remainder(): Buffer {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    return rest
  }

  /** Another file has its name now: this one was moved away. */
  async isReplaced(path: string): Promise<boolean> {
    try {
      return (await stat(path)).ino !== this.#inode
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false // the next one is yet to come
      throw error
    }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  #cut(block: Buffer): readonly Buffer[] {
    const bytes = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block])
    const lines: Buffer[] = []
    let start = 0
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, start)) {
      lines.push(bytes.subarray(start, end + 1))
      start = end + 1
    }
    this.#rest = bytes.subarray(start)
    return lines
  }
}

/** Where the last `count` lines begin. A line that has no end yet is one of them. */
async function tailStart(handle: FileHandle, size: number, count: number): Promise<number> {
  if (count === 0) return size
  let ends = 0
  for (let right = size; right > 0; right -= blockSize) {
    const left = Math.max(0, right - blockSize)
    const block = Buffer.alloc(right - left)
    await handle.read(block, 0, block.length, left)
    for (let at = block.length - 1; at >= 0; at--) {
      if (block[at] !== lineEnd || left + at === size - 1) continue
      ends += 1
      if (ends === count) return left + at + 1
    }
  }
  return 0
}
