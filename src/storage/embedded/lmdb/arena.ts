/** What a commit usually needs; one that needs more gets further buffers, which go when it is done. */
const regularBytes = 1024 * 1024

/**
 * The bytes of one commit, written one after the other into few large buffers. Most commits need only the first, which is used
 * again and again: no allocation, and LMDB has to ask for its address but once.
 */
export class Arena {
  readonly #regular = Buffer.allocUnsafeSlow(regularBytes)
  #buffer = this.#regular
  #position = 0
  #filled = 0

  /** How much has been taken since the last reset. */
  get used(): number {
    return this.#filled + this.#position
  }

  /** Forgets everything. What was taken before must not be in use any more. */
  reset(): void {
    this.#buffer = this.#regular
    this.#position = 0
    this.#filled = 0
  }

  /** Room for at most so many bytes, of which `take` then takes a part. */
  reserve(bytes: number): { readonly buffer: Buffer; readonly start: number } {
    if (this.#position + bytes > this.#buffer.length) {
      this.#filled += this.#position
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(regularBytes, bytes))
      this.#position = 0
    }
    return { buffer: this.#buffer, start: this.#position }
  }

  /** What was written from the reserved start up to `end`. */
  take(end: number): Uint8Array {
    const taken = this.#buffer.subarray(this.#position, end)
    this.#position = end
    return taken
  }
}
