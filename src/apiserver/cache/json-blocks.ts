import type { KubeObject } from '../../api/kube-object.js'

const blockBytes = 64 * 1024
/** What is larger stands alone. */
const largeBytes = blockBytes / 4

const lineFeed = 0x0a

/**
 * The JSON of what is about to be written. It is soon let go of, in the order in which it was made, so it stands in blocks that come and
 * go as a whole. Whoever keeps one piece keeps its block: those who want it for longer take a copy.
 */
export class JsonBlocks {
  #block = Buffer.alloc(0)
  #used = 0

  /** JSON and a line feed. */
  encode(object: KubeObject): Uint8Array {
    const text = JSON.stringify(object)
    // No UTF-16 unit needs more than three bytes.
    const bytes = text.length * 3 + 1
    if (bytes > largeBytes) return Buffer.from(`${text}\n`)
    if (this.#used + bytes > this.#block.length) this.#next()
    const start = this.#used
    const end = start + this.#block.write(text, start)
    this.#block[end] = lineFeed
    this.#used = end + 1
    return this.#block.subarray(start, this.#used)
  }

  #next(): void {
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
    this.#used = 0
  }
}
