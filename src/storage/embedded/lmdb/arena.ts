/** The usual size of a commit. A larger one gets further buffers, which are dropped after it. */
const regularBytes = 1024 * 1024

/**
 * The bytes of one commit, in few large buffers. Most commits need only the first one, which is reused: no allocation, and LMDB looks up
 * its address only once.
 */
export class Arena {
  readonly #regular = Buffer.allocUnsafeSlow(regularBytes)
  #buffer = this.#regular
  #position = 0
  #filled = 0

  /** The number of bytes taken since the last reset. */
  get used(): number {
    return this.#filled + this.#position
  }

  /** Drops all content. Nothing of it may be in use. */
  reset(): void {
    this.#buffer = this.#regular
    this.#position = 0
    this.#filled = 0
  }

  /** Reserves room for at most `bytes`; `take` then takes a part of it. */
  reserve(bytes: number): { readonly buffer: Buffer; readonly start: number } {
    if (this.#position + bytes > this.#buffer.length) {
      this.#filled += this.#position
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(regularBytes, bytes))
      this.#position = 0
    }
    return { buffer: this.#buffer, start: this.#position }
  }

  /** Returns what was written from the reserved start to `end`. */
  take(end: number): Uint8Array {
    const taken = this.#buffer.subarray(this.#position, end)
    this.#position = end
    return taken
  }
}
