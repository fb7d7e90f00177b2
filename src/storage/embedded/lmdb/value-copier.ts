import type { CopyValue } from '../encoding.js'

/** Values that are read together share slabs, each twice as large as the one before. A large value has its own. */
const firstSlabBytes = 16 * 1024
const lastSlabBytes = 4 * 1024 * 1024
const largeBytes = 64 * 1024

/**
 * Copies the values of one range out of LMDB's buffer, so that they stay valid. A value keeps its slab alive: in all at most twice the size
 * of the range.
 */
export class ValueCopier {
  #slab = Buffer.alloc(0)
  #used = 0

  readonly copy: CopyValue = (source, start, end) => {
    const length = end - start
    if (length > largeBytes) return copyAlone(source, start, end)
    if (this.#used + length > this.#slab.length) this.#next(length)
    source.copy(this.#slab, this.#used, start, end)
    this.#used += length
    return this.#slab.subarray(this.#used - length, this.#used)
  }

  #next(length: number): void {
    const bytes = Math.min(Math.max(firstSlabBytes, this.#slab.length * 2), lastSlabBytes)
    this.#slab = Buffer.allocUnsafeSlow(Math.max(bytes, length))
    this.#used = 0
  }
}

export const copyAlone: CopyValue = (source, start, end) => {
  const target = Buffer.allocUnsafe(end - start)
  source.copy(target, 0, start, end)
  return target
}

const empty = new Uint8Array(0)

/** For callers that do not need the value. */
export const noValue: CopyValue = () => empty
