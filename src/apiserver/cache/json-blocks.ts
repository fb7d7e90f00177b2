import type { KubeObject } from '../../api/kube-object.js'

const blockBytes = 64 * 1024
/** Larger objects get a buffer of their own. */
const largeBytes = blockBytes / 4

const lineFeed = 0x0a

/**
 * Encodes objects that are about to be written into shared blocks. The buffers are released soon and in order, so that whole blocks become
 * garbage together. A reference to one buffer keeps its whole block alive: code that needs it for longer must copy it.
 */
export class JsonBlocks {
  #block = Buffer.alloc(0)
  #used = 0

  /** Returns the JSON of the object and a line feed. */
  encode(object: KubeObject): Uint8Array {
    const text = JSON.stringify(object)
    // No UTF-16 unit needs more than three bytes.
    const bytes = text.length * 3 + 1
    if (bytes > largeBytes) return Buffer.from(`${text}\n`)
    if (this.#used + bytes > this.#block.length) this.#startBlock()
    const start = this.#used
    const end = start + this.#block.write(text, start)
    this.#block[end] = lineFeed
    this.#used = end + 1
    return this.#block.subarray(start, this.#used)
  }

  #startBlock(): void {
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
    this.#used = 0
  }
}
