import type { Buffer } from 'node:buffer'
import { endGroupType, fixed32Type, fixed64Type, groupType, lengthType, varintType } from './writer.js'

/** The bytes are not a valid protobuf message. The text is that of Kubernetes where it has one. */
export class MalformedMessageError extends Error {
  override name = 'MalformedMessageError'
}

/**
 * Reads the fields of a protobuf message in their order:
 *
 *     while (reader.next()) {
 *       if (reader.field === 1) key = reader.bytes()
 *       else reader.skip()
 *     }
 *
 * Each field is either read or skipped. Bytes are parts of the message, not copies. Nothing outside of the message is ever read: a field
 * that exceeds its end is malformed.
 */
export class WireReader {
  readonly #buffer: Buffer
  #position: number
  #end: number
  #type = varintType
  /** The number of the current field. */
  field = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
    this.#position = 0
    this.#end = buffer.length
  }

  /** Moves to the next field. Returns false at the end of the message. */
  next(): boolean {
    if (this.#position === this.#end) return false
    const tag = this.#varint()
    this.field = tag < 0x80 ? tag >> 3 : Math.floor(tag / 8) | 0
    this.#type = tag & 7
    if (this.field < 1) throw new MalformedMessageError(`proto: illegal tag ${this.field} (wire type ${this.#type})`)
    return true
  }

  /** The wire type of the current field: one of the numbers in `writer.ts`. */
  get type(): number {
    return this.#type
  }

  /** Whether the end of the message is reached. */
  get atEnd(): boolean {
    return this.#position === this.#end
  }

  /** Reads a whole number, exact within JavaScript's safe integers, which exceed any revision. */
  number(): number {
    this.#expect(varintType)
    return this.#varint()
  }

  /** Reads a number of a packed list, without its field. */
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

  /** Reads a 64-bit number as decimal text, exact. */
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

  /** Reads text without its first `offset` bytes. */
  text(offset = 0): string {
    const end = this.#lengthEnd()
    const value = this.#buffer.toString('utf8', this.#position + offset, end)
    this.#position = end
    return value
  }

  /** Enters a nested message. Pass the result to `leave` when `next` has returned false. */
  enter(): number {
    const outer = this.#end
    this.#end = this.#lengthEnd()
    return outer
  }

  leave(outer: number): void {
    this.#end = outer
  }

  /** Skips the current field: newer programs may send unknown fields. */
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

  /** Two's complement over 64 bits, as int64: -1 has ten bytes. */
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
