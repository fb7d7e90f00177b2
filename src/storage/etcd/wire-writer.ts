import { Buffer } from 'node:buffer'

/**
 * Writes one protobuf message from its end to its beginning, so that the length of a nested message is known by the time it has
 * to be written, and nothing is measured twice. Fields therefore go in backwards: last field first. A field that holds what a
 * missing field means (0, false, no bytes) is left out, as in proto3.
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

  /** Makes what was written since `written` was `before` a nested message. It is written even when it is empty. */
  message(field: number, before: number): void {
    this.#varint(this.written - before)
    this.#tag(field, lengthType)
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#start)
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type)
  }

  #varint(value: number): void {
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

export const varintType = 0
export const lengthType = 2
