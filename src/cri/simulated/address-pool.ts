import { type IpAddress, ipText, networkOf, parseCidr } from '../../schema/values/ip-address.js'
import { CriError } from '../cri-error.js'

/** Allocates the pod addresses of a node, in ascending order and then from the beginning again. */
export class AddressPool {
  readonly #network: IpAddress
  readonly #size: number
  readonly #used = new Set<string>()
  #next = firstHost

  constructor(range: string) {
    const cidr = parseCidr(range)
    if (!cidr) throw new CriError('InvalidArgument', `${range} is not an address range`)
    this.#network = networkOf(cidr)
    const bits = this.#network.bytes.length * 8 - cidr.prefixLength
    this.#size = 2 ** Math.min(bits, 24)
  }

  take(): string {
    for (let tries = firstHost; tries < this.#size - 1; tries++) {
      const host = this.#next
      this.#next = host + 2 >= this.#size ? firstHost : host + 1
      const address = this.#text(host)
      if (this.#used.has(address)) continue
      this.#used.add(address)
      return address
    }
    throw new CriError('Unknown', 'failed to allocate for range 0: no IP addresses available in range set')
  }

  release(address: string): void {
    this.#used.delete(address)
  }

  #text(host: number): string {
    const bytes = [...this.#network.bytes]
    for (let at = bytes.length - 1, rest = host; rest > 0; at--, rest = Math.floor(rest / 256))
      bytes[at] = bytes[at]! + (rest % 256)
    return ipText({ ...this.#network, bytes })
  }
}

/** The first address is the network's, the second is the node's. */
const firstHost = 2
