import type { Buffer } from 'node:buffer'
import { endGroupType, fixed32Type, fixed64Type, groupType, lengthType, varintType } from './writer.js'

/** The bytes are no protobuf message of the expected kind. Where Kubernetes has words for what is wrong, they are its words. */
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
    this.field = tag < 0x80 ? tag >> 3 : Math.floor(tag / 8) | 0
    this.#type = tag & 7
    if (this.field < 1) throw new MalformedMessageError(`proto: illegal tag ${this.field} (wire type ${this.#type})`)
    return true
  }

  /** How the field at hand is written: one of the numbers in `wire-writer.ts`. */
  get type(): number {
    return this.#type
  }

  /** Whether there is no more of the message at hand. */
  get atEnd(): boolean {
    return this.#position === this.#end
  }

  /** A whole number; exact as far as JavaScript's numbers are, which is far beyond any revision. */
  number(): number {
    this.#expect(varintType)
    return this.#varint()
  }

  /** A whole number as it stands among packed ones, without its field. */
  numberAlone(): number {
    return this.#varint()
  }

  double(): number {
    this.#expect(fixed64Type)
    const start = this.#position
    this.#advance(8)
    return this.#buffer.readDoubleLE(start)
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
    throw new MalformedMessageError('proto: integer overflow')
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

  /** Passes over a field, whatever it is: newer programs may send fields that we do not know. */
  skip(): void {
    let groups = 0
    do {
      if (this.#type === groupType) groups++
      else if (this.#type === endGroupType) groups--
      else this.#skipValue()
      if (groups < 0) throw new MalformedMessageError('proto: unexpected end of group')
      if (groups > 0 && !this.next()) throw endsEarly()
    } while (groups > 0)
  }

  #skipValue(): void {
    if (this.#type === varintType) this.#varint()
    else if (this.#type === lengthType) this.#position = this.#lengthEnd()
    else if (this.#type === fixed64Type) this.#advance(8)
    else if (this.#type === fixed32Type) this.#advance(4)
    else throw new MalformedMessageError(`proto: illegal wireType ${this.#type}`)
  }

  #advance(length: number): void {
    if (this.#position + length > this.#end) throw endsEarly()
    this.#position += length
  }

  #expect(type: number): void {
    if (this.#type !== type)
      throw new MalformedMessageError(`proto: wrong wireType = ${this.#type} for field ${this.field}`)
  }

  #lengthEnd(): number {
    this.#expect(lengthType)
    const length = this.#varint()
    if (length < 0) throw new MalformedMessageError('proto: negative length found during unmarshaling')
    if (length > this.#end - this.#position) throw endsEarly()
    return this.#position + length
  }

  #byte(): number {
    if (this.#position >= this.#end) throw endsEarly()
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
      if (shift > 31) throw new MalformedMessageError('proto: integer overflow')
      byte = this.#byte()
      high |= (byte & 0x7f) << shift
    }
    return high * 0x1_0000_0000 + (low >>> 0)
  }
}

function endsEarly(): Error {
  return new MalformedMessageError('unexpected EOF')
}
