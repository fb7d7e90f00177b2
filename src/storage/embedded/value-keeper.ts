import type { KeepValue } from './encoding.js'

/** Values that are read together stand together in slabs of this size; one that is large has a buffer of its own. */
const slabBytes = 256 * 1024
const largeBytes = 8 * 1024

/**
 * Copies values out of the buffer that LMDB reads into, so that they stay as they are for as long as they are held. Whoever holds
 * one of many holds its whole slab: no more in all than the range had that it was read with.
 */
export class ValueKeeper {
  #slab = Buffer.alloc(0)
  #used = 0

  readonly keepAmongMany: KeepValue = (source, start, end) => {
    const length = end - start
    if (length > largeBytes) return keepAlone(source, start, end)
    if (this.#used + length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(slabBytes)
      this.#used = 0
    }
    source.copy(this.#slab, this.#used, start, end)
    this.#used += length
    return this.#slab.subarray(this.#used - length, this.#used)
  }
}

export const keepAlone: KeepValue = (source, start, end) => {
  const target = Buffer.allocUnsafe(end - start)
  source.copy(target, 0, start, end)
  return target
}

const empty = new Uint8Array(0)

/** For those who do not want the value. */
export const noValue: KeepValue = () => empty
