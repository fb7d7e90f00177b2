import type { Buffer } from 'node:buffer'
import { lengthType, varintType } from './wire-writer.js'

/** The bytes are no protobuf message of the expected kind. */
export class MalformedMessageError extends Error {
  override name = 'MalformedMessageError'
}

/**
 * Walks over the fields of a protobuf message in the order in which they stand:
 *
 *     while (reader.next()) {
 *       if (reader.field === 1) key = reader.bytes()
 *       else reader.skip()
 *     }
 *
 * Each field is either read or skipped. Bytes are handed out as parts of the message, not as copies. Nothing outside of the
 * message is ever read: what reaches beyond its end is malformed.
 */
export class WireReader {
  readonly #buffer: Buffer
  #position: number
  #end: number
  #type = varintType
  /** The number of the field at hand. */
  field = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
    this.#position = 0
    this.#end = buffer.length
  }

  /** Goes to the next field; false at the end of the message. */
  next(): boolean {
    if (this.#position === this.#end) return false
    const tag = this.#varint()
    this.field = Math.floor(tag / 8)
    this.#type = tag % 8
    if (this.field < 1) throw new MalformedMessageError(`a field cannot have the number ${this.field}`)
    return true
  }

  /** A whole number; exact as far as JavaScript's numbers are, which is far beyond any revision. */
  number(): number {
    this.#expect(varintType)
    return this.#varint()
  }

  flag(): boolean {
    return this.number() !== 0
  }

  /** A 64-bit number in decimal, exact. */
  decimal(): string {
    this.#expect(varintType)
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value).toString()
    }
    throw new MalformedMessageError('a number has more than ten bytes')
  }

  bytes(): Buffer {
    const end = this.#lengthEnd()
    const value = this.#buffer.subarray(this.#position, end)
    this.#position = end
    return value
  }

  /** Text without its first `offset` bytes. */
  text(offset = 0): string {
    const end = this.#lengthEnd()
    const value = this.#buffer.toString('utf8', this.#position + offset, end)
    this.#position = end
    return value
  }

  /** Goes into a nested message. What it returns is to be given to `leave` once `next` has said that the nested one ended. */
  enter(): number {
    const outer = this.#end
    this.#end = this.#lengthEnd()
    return outer
  }

  leave(outer: number): void {
    this.#end = outer
  }

  /** Passes over a field, whatever it is: newer servers may send fields that we do not know. */
  skip(): void {
    if (this.#type === varintType) this.#varint()
    else if (this.#type === lengthType) this.#position = this.#lengthEnd()
    else if (this.#type === fixed64Type) this.#advance(8)
    else if (this.#type === fixed32Type) this.#advance(4)
    else throw new MalformedMessageError(`field ${this.field} has the unknown wire type ${this.#type}`)
  }

  #advance(length: number): void {
    if (this.#position + length > this.#end) throw new MalformedMessageError('a field ends outside of its message')
    this.#position += length
  }

  #expect(type: number): void {
    if (this.#type !== type)
      throw new MalformedMessageError(`field ${this.field} has wire type ${this.#type} instead of ${type}`)
  }

  #lengthEnd(): number {
    this.#expect(lengthType)
    const length = this.#varint()
    if (length < 0 || length > this.#end - this.#position)
      throw new MalformedMessageError('a field ends outside of its message')
    return this.#position + length
  }

  #byte(): number {
    if (this.#position >= this.#end) throw new MalformedMessageError('a number ends outside of its message')
    return this.#buffer[this.#position++]!
  }

  /** In two's complement over 64 bits, as int64 is sent: -1, for one, has ten bytes. */
  #varint(): number {
    const first = this.#byte()
    if (first < 0x80) return first
    let low = first & 0x7f
    for (let shift = 7; shift < 28; shift += 7) {
      const byte = this.#byte()
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) return low
    }
    const middle = this.#byte()
    low |= (middle & 0x0f) << 28
    let high = (middle & 0x7f) >> 4
    for (let shift = 3, byte = middle; byte >= 0x80; shift += 7) {
      if (shift > 31) throw new MalformedMessageError('a number has more than ten bytes')
      byte = this.#byte()
      high |= (byte & 0x7f) << shift
    }
    return high * 0x1_0000_0000 + (low >>> 0)
  }
}

const fixed64Type = 1
const fixed32Type = 5
