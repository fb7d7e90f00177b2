import { Buffer } from 'node:buffer'

/**
 * Writes one protobuf message from its end to its beginning, so that the length of a nested message is known by the time it has
 * to be written, and nothing is measured twice. Fields therefore go in backwards: last field first.
 *
 * `number`, `bigint`, `flag` and `bytes` leave out a field that holds what a missing field means (0, false, no bytes), as in
 * proto3. The others write what they are told.
 */
export class WireWriter {
  #buffer: Buffer
  /** Everything from here to the end of the buffer is written. */
  #start: number

  /** `capacity` is a guess at the size: too small costs a copy, too large costs memory. */
  constructor(capacity = 128) {
    this.#buffer = Buffer.allocUnsafe(capacity)
    this.#start = capacity
  }

  /** How much has been written: remember it before a nested message, and give it to `message` afterwards. */
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

  /** A whole number of either sign, in two's complement over 64 bits: a negative one has ten bytes. */
  integer(field: number, value: number): void {
    this.integerAlone(value)
    this.#tag(field, varintType)
  }

  /** A number as it stands among packed ones, without its field. What is no 64-bit number becomes the nearest one. */
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

  /** Bytes that have been written before, fields and all. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#start -= value.length
    this.#buffer.set(value, this.#start)
  }

  /** Makes what was written since `written` was `before` a nested message. It is written even when it is empty. */
  message(field: number, before: number): void {
    this.#varint(this.written - before)
    this.#tag(field, lengthType)
  }

  /** Writes the beginning of a message whose bytes, `length` of them, are elsewhere and follow. */
  messageAhead(field: number, length: number): void {
    this.#varint(length)
    this.#tag(field, lengthType)
  }

  /** Forgets everything, to be used again. What `finish` gave out before is no longer valid. */
  clear(): void {
    this.#start = this.#buffer.length
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#start)
  }

  /** Most texts are short and plain: those are written without a call into the runtime. Returns the length in bytes. */
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
