import { Buffer } from 'node:buffer'

/**
 * Writes one protobuf message from its end to its start, so that the length of a nested message is known when it is written, and nothing is
 * measured twice. So fields are written in reverse: the last field first.
 *
 * `number`, `bigint`, `flag` and `bytes` leave out default values (0, false, no bytes), as proto3. The others write every value.
 */
export class WireWriter {
  #buffer: Buffer
  /** Everything from here to the end of the buffer is written. */
  #start: number

  /** `capacity` is an estimate of the size: too small costs a copy, too large costs memory. */
  constructor(capacity = 128) {
    this.#buffer = Buffer.allocUnsafe(capacity)
    this.#start = capacity
  }

  /** The number of bytes written: read it before a nested message, and pass it to `message` afterwards. */
  get written(): number {
    return this.#buffer.length - this.#start
  }

  /** A whole number that is not negative. */
  number(field: number, value = 0): void {
    if (value === 0) return
    this.#varint(value)
    this.#tag(field, varintType)
  }

  /** A whole number of up to 64 bits that is not negative. */
  bigint(field: number, value: bigint): void {
    if (value === 0n) return
    this.#bigVarint(value)
    this.#tag(field, varintType)
  }

  flag(field: number, value = false): void {
    this.number(field, value ? 1 : 0)
  }

  bytes(field: number, value: Uint8Array): void {
    if (value.length === 0) return
    this.#reserve(value.length)
    this.#start -= value.length
    this.#buffer.set(value, this.#start)
    this.#varint(value.length)
    this.#tag(field, lengthType)
  }

  text(field: number, value: string): void {
    const length = value.length <= shortText ? this.#shortText(value) : this.#longText(value)
    this.#varint(length)
    this.#tag(field, lengthType)
  }

  /** A whole number with sign, in two's complement over 64 bits: a negative one has ten bytes. */
  integer(field: number, value: number): void {
    this.integerAlone(value)
    this.#tag(field, varintType)
  }

  /** A number of a packed list, without its field. A number outside of 64 bits becomes the nearest one. */
  integerAlone(value: number): void {
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) this.#varint(value)
    else this.#bigVarint(BigInt.asUintN(64, nearestInt64(value)))
  }

  double(field: number, value: number): void {
    this.#reserve(8)
    this.#start -= 8
    this.#buffer.writeDoubleLE(value, this.#start)
    this.#tag(field, fixed64Type)
  }

  /** Bytes that are already encoded, with their fields. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#start -= value.length
    this.#buffer.set(value, this.#start)
  }

  /** Turns everything that was written since `written` was `before` into a nested message. It is written even if it is empty. */
  message(field: number, before: number): void {
    this.#varint(this.written - before)
    this.#tag(field, lengthType)
  }

  /** Writes the header of a message of `length` bytes that follow elsewhere. */
  messageAhead(field: number, length: number): void {
    this.#varint(length)
    this.#tag(field, lengthType)
  }

  /** Clears the writer for reuse. Results of `finish` become invalid. */
  clear(): void {
    this.#start = this.#buffer.length
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#start)
  }

  /** Writes short ASCII text without a call into the runtime, as most texts are. Returns the length in bytes. */
  #shortText(value: string): number {
    const { length } = value
    this.#reserve(length)
    const start = this.#start - length
    const buffer = this.#buffer
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i)
      if (code > 0x7f) return this.#longText(value)
      buffer[start + i] = code
    }
    this.#start = start
    return length
  }

  #longText(value: string): number {
    const length = Buffer.byteLength(value)
    this.#reserve(length)
    this.#start -= length
    this.#buffer.write(value, this.#start)
    return length
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type)
  }

  #varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1)
      this.#buffer[--this.#start] = value
      return
    }
    let length = 1
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++
    this.#reserve(length)
    this.#start -= length
    let at = this.#start
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#buffer[at++] = (rest % 0x80) | 0x80
    this.#buffer[at] = rest
  }

  #bigVarint(value: bigint): void {
    const bytes: number[] = []
    let rest = value
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
    bytes.push(Number(rest))
    this.#reserve(bytes.length)
    this.#start -= bytes.length
    this.#buffer.set(bytes, this.#start)
  }

  #reserve(length: number): void {
    if (length <= this.#start) return
    const written = this.written
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, written + length + 64))
    this.#buffer.copy(larger, larger.length - written, this.#start)
    this.#buffer = larger
    this.#start = larger.length - written
  }
}

const shortText = 64

function nearestInt64(value: number): bigint {
  if (value >= 2 ** 63) return 2n ** 63n - 1n
  return value < -(2 ** 63) ? -(2n ** 63n) : BigInt(value)
}

export const varintType = 0
export const fixed64Type = 1
export const lengthType = 2
export const groupType = 3
export const endGroupType = 4
export const fixed32Type = 5
