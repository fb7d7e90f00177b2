const lengthDelimited = 2
const varint = 0

/**
 * Writes protobuf from its end to its beginning, so that the length of a message is known when it is due: fields are written
 * last one first, and a message before its header.
 */
export class ProtobufWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024)
  #start = this.#buffer.length

  text(field: number, value: string): void {
    const length = Buffer.byteLength(value)
    this.#reserve(length)
    this.#start -= length
    this.#buffer.write(value, this.#start)
    this.#header(field, length)
  }

  /** False is what is read when nothing is written. */
  bool(field: number, value: boolean): void {
    if (!value) return
    this.#varint(1)
    this.#varint((field << 3) | varint)
  }

  message(field: number, write: () => void): void {
    const end = this.#buffer.length - this.#start
    write()
    this.#header(field, this.#buffer.length - this.#start - end)
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start)
  }

  #header(field: number, length: number): void {
    this.#varint(length)
    this.#varint((field << 3) | lengthDelimited)
  }

  #varint(value: number): void {
    const size = value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5
    this.#reserve(size)
    this.#start -= size
    let rest = value
    for (let i = 0; i < size; i++) {
      this.#buffer[this.#start + i] = (rest & 0x7f) | (i < size - 1 ? 0x80 : 0)
      rest >>>= 7
    }
  }

  #reserve(size: number): void {
    if (this.#start >= size) return
    const larger = Buffer.allocUnsafe(2 * this.#buffer.length + size)
    this.#buffer.copy(larger, larger.length - this.#buffer.length + this.#start, this.#start)
    this.#start += larger.length - this.#buffer.length
    this.#buffer = larger
  }
}
