import type { IPFamily } from '../../../api/core/v1/service.js'
import type { Random } from '../../../base/random.js'
import { cidrText, type IpAddress, ipText, networkOf, parseCidr, parseIp } from '../../../schema/values/ip-address.js'

/** A range of numbers to allocate from. The lower ones are allocated last: users request those explicitly. */
export interface AllocationRange {
  readonly size: bigint
  /** How many numbers at the beginning are allocated last. */
  readonly lower: bigint
}

/** Returns every number once: the upper part from a random start, then the lower part in the same way. */
export function* allocationOrder({ size, lower }: AllocationRange, random: Random): Iterable<bigint> {
  yield* fromRandomStart(lower, size - lower, random)
  yield* fromRandomStart(0n, lower, random)
}

/** Upper bound of numbers that are tried in a huge range. */
const maximumTries = 1n << 20n

function* fromRandomStart(from: bigint, size: bigint, random: Random): Iterable<bigint> {
  if (size <= 0n) return
  const start = BigInt(random.integer(Number(size > maximumTries ? maximumTries : size)))
  const steps = size > maximumTries ? maximumTries : size
  for (let i = 0n; i < steps; i++) yield from + ((start + i) % size)
}

/** The usable addresses of a network: all but the network address and, for IPv4, the broadcast address. */
export class AddressRange implements AllocationRange {
  readonly text: string
  readonly family: IPFamily
  readonly size: bigint
  readonly lower: bigint
  readonly #network: bigint
  readonly #bytes: number

  constructor(cidr: string) {
    const parsed = parseCidr(cidr)
    if (!parsed) throw new Error(`${cidr} is not a CIDR`)
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

  /** The network address. */
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

/** The size of the lower part: a sixteenth, at least 16, at most 256; 0 for small ranges. */
function lowerPart(size: bigint): bigint {
  const sixteenth = size / 16n
  if (sixteenth < 1n || size <= 16n) return 0n
  if (sixteenth < 16n) return 16n
  return sixteenth > 256n ? 256n : sixteenth
}

function numberOf({ bytes }: IpAddress): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}
