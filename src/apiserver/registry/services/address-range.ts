import type { IPFamily } from '../../../api/core/v1/service.js'
import type { Random } from '../../../base/random.js'
import { cidrText, type IpAddress, ipText, networkOf, parseCidr, parseIp } from '../../../schema/values/ip-address.js'

/** Numbers of a range, of which the lower ones are left to who asks for a certain one, as long as there are others. */
export interface AllocationRange {
  readonly size: bigint
  /** How many at the beginning are given out last. */
  readonly lower: bigint
}

/** Every number of a band once: from a random one of the upper part on, then the same in the lower part. */
export function* allocationOrder({ size, lower }: AllocationRange, random: Random): Iterable<bigint> {
  yield* circle(lower, size - lower, random)
  yield* circle(0n, lower, random)
}

/** No more of an endless range are looked at than anyone would wait for. */
const longestWalk = 1n << 20n

function* circle(from: bigint, size: bigint, random: Random): Iterable<bigint> {
  if (size <= 0n) return
  const start = BigInt(random.integer(Number(size > longestWalk ? longestWalk : size)))
  const steps = size > longestWalk ? longestWalk : size
  for (let i = 0n; i < steps; i++) yield from + ((start + i) % size)
}

/** The addresses that services of one family can have: all of a network but its own and, in IPv4, that of everyone in it. */
export class AddressRange implements AllocationRange {
  readonly text: string
  readonly family: IPFamily
  readonly size: bigint
  readonly lower: bigint
  readonly #network: bigint
  readonly #bytes: number

  constructor(cidr: string) {
    const parsed = parseCidr(cidr)
    if (!parsed) throw new Error(`${cidr} is no range of addresses`)
    const network = networkOf(parsed)
    this.text = cidrText(network, parsed)
    this.#bytes = network.bytes.length
    this.family = this.#bytes === 4 ? 'IPv4' : 'IPv6'
    this.#network = numberOf(network)
    const all = 1n << BigInt(this.#bytes * 8 - parsed.prefixLength)
    const usable = all - (this.family === 'IPv4' ? 2n : 1n)
    this.size = usable > 0n ? usable : 0n
    this.lower = lowerPart(this.size)
  }

  /** The network's own address. */
  get base(): string {
    return this.#text(this.#network)
  }

  at(offset: bigint): string {
    return this.#text(this.#network + 1n + offset)
  }

  contains(address: string): boolean {
    const parsed = parseIp(address)
    if (!parsed || parsed.bytes.length !== this.#bytes) return false
    const offset = numberOf(parsed) - this.#network - 1n
    return offset >= 0n && offset < this.size
  }

  #text(value: bigint): string {
    const bytes = Array.from({ length: this.#bytes }, (_, i) =>
      Number((value >> BigInt(8 * (this.#bytes - 1 - i))) & 0xffn),
    )
    return ipText({ bytes, mapped: false, leadingZeros: false })
  }
}

/** A sixteenth, but no fewer than 16 and no more than 256; small ranges have no such part. */
function lowerPart(size: bigint): bigint {
  const sixteenth = size / 16n
  if (sixteenth < 1n || size <= 16n) return 0n
  if (sixteenth < 16n) return 16n
  return sixteenth > 256n ? 256n : sixteenth
}

function numberOf({ bytes }: IpAddress): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}
