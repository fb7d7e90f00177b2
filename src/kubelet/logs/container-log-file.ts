import { type FileHandle, open, stat } from 'node:fs/promises'

const blockSize = 64 * 1024
const lineEnd = 0x0a

/** A log file that is read while the runtime writes it. */
export class ContainerLogFile {
  readonly #handle: FileHandle
  readonly #inode: number
  #position: number
  /** The beginning of an incomplete line. */
  #rest: Buffer = Buffer.alloc(0)

  private constructor(handle: FileHandle, inode: number, position: number) {
    this.#handle = handle
    this.#inode = inode
    this.#position = position
  }

  /** Opens a file at its beginning, or `tailLines` lines before its end. */
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

  /** Returns the next complete lines with their line ends, or none. */
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

  /** Returns an incomplete line that will not be completed. */
  remainder(): Buffer {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    return rest
  }

  /** Returns whether the file was rotated: another file has its name. */
  async isReplaced(path: string): Promise<boolean> {
    try {
      return (await stat(path)).ino !== this.#inode
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false // the new file does not exist yet
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

/** Returns the offset of the last `count` lines. An incomplete line counts. */
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
