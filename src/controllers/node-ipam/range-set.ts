import { bitsOf, type Cidr, cidrText, networkOf } from '../../schema/values/ip-address.js'

/** An IPv6 range has at most 2 to the power of this many parts. */
const maxBits = 16

/** A range that is divided into parts of the same size, numbered from 0, and which of them are taken. */
export class RangeSet {
  readonly #range: Cidr
  readonly #partLength: number
  readonly #count: number
  readonly #taken = new Set<number>()
  /** Follows the part that was taken last, so that a part that was freed is not taken again at once. */
  #next = 0

  /** `partLength`: the prefix length of a part. */
  constructor(range: Cidr, partLength: number) {
    const bits = partLength - range.prefixLength
    if (bits < 0 || partLength > bitsOf(range.address))
      throw new RangeError(`parts of /${partLength} do not fit into ${cidrText(networkOf(range), range)}`)
    if (range.address.bytes.length === 16 && bits > maxBits)
      throw new RangeError('New CIDR set failed; the node CIDR size is too big')
    this.#range = range
    this.#partLength = partLength
    this.#count = 2 ** bits
  }

  /** Takes the next free part; undefined if there is none. */
  takeNext(): string | undefined {
    if (this.#taken.size === this.#count) return undefined
    while (this.#taken.has(this.#next)) this.#next = (this.#next + 1) % this.#count
    const part = this.#next
    this.#taken.add(part)
    this.#next = (part + 1) % this.#count
    return this.#text(part)
  }

  /** Takes all parts that overlap `cidr`. False if it is outside the range. */
  take(cidr: Cidr): boolean {
    return this.#each(cidr, (part) => this.#taken.add(part))
  }

  free(cidr: Cidr): boolean {
    return this.#each(cidr, (part) => this.#taken.delete(part))
  }

  #each(cidr: Cidr, act: (part: number) => void): boolean {
    const [first, last] = this.#partsOf(cidr) ?? []
    if (first === undefined) return false
    for (let part = first; part <= last!; part++) act(part)
    return true
  }

  /** The numbers of the first and the last part that overlap `cidr`. */
  #partsOf(cidr: Cidr): readonly [number, number] | undefined {
    const { address, prefixLength } = this.#range
    if (cidr.address.bytes.length !== address.bytes.length) return undefined
    const common = Math.min(prefixLength, cidr.prefixLength)
    if (numberOf(cidr, common) !== numberOf(this.#range, common)) return undefined
    if (cidr.prefixLength <= prefixLength) return [0, this.#count - 1]
    const inside = (value: bigint) => Number(value - (numberOf(this.#range, prefixLength) << this.#partBits))
    if (cidr.prefixLength >= this.#partLength) {
      const part = inside(numberOf(cidr, this.#partLength))
      return [part, part]
    }
    const wide = BigInt(this.#partLength - cidr.prefixLength)
    const first = inside(numberOf(cidr, cidr.prefixLength) << wide)
    return [first, first + Number(1n << wide) - 1]
  }

  get #partBits(): bigint {
    return BigInt(this.#partLength - this.#range.prefixLength)
  }

  #text(part: number): string {
    const { address, prefixLength } = this.#range
    const bits = BigInt(bitsOf(address) - this.#partLength)
    const value = ((numberOf(this.#range, prefixLength) << this.#partBits) | BigInt(part)) << bits
    const bytes = address.bytes.map((_, i) => Number((value >> BigInt(8 * (address.bytes.length - 1 - i))) & 0xffn))
    const cidr = { ...this.#range, prefixLength: this.#partLength }
    return cidrText({ ...address, bytes }, cidr)
  }
}

/** The first `bits` bits of an address as a number. */
function numberOf({ address }: Cidr, bits: number): bigint {
  const whole = address.bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  return whole >> BigInt(bitsOf(address) - bits)
}
