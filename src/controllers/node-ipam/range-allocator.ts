import { parseCidr } from '../../schema/values/ip-address.js'
import { RangeSet } from './range-set.js'
import { type NodeRangeOptions, nodeRanges, parsedRanges } from './ranges.js'

/** Which subranges belong to which node. */
export class RangeAllocator {
  readonly #sets: readonly RangeSet[]
  readonly #owned = new Map<string, readonly string[]>()

  constructor(options: NodeRangeOptions) {
    this.#sets = nodeRanges(options).map(({ range, partLength }) => new RangeSet(range, partLength))
    const services = options.serviceClusterIpRange ? parsedRanges(options.serviceClusterIpRange) : []
    for (const range of services) for (const set of this.#sets) set.take(range)
  }

  /**
   * One subrange of each range for a node that has none, in the order of the ranges; undefined if one range is exhausted. The same node gets
   * the same subranges again, until they are released: the caller may not know whether a write succeeded.
   */
  allocate(node: string): readonly string[] | undefined {
    const known = this.#owned.get(node)
    if (known) return known
    const parts: string[] = []
    for (const set of this.#sets) {
      const part = set.takeNext()
      if (part === undefined) {
        this.#free(parts)
        return undefined
      }
      parts.push(part)
    }
    this.#owned.set(node, parts)
    return parts
  }

  /** Marks the subranges of a node as taken. False if one of them is outside the ranges. */
  occupy(node: string, parts: readonly string[]): boolean {
    if (this.#owned.get(node)?.join() === parts.join()) return true
    this.release(node)
    this.#owned.set(node, parts)
    const taken = parts.map((part, i) => {
      const cidr = parseCidr(part)
      return cidr !== undefined && (this.#sets[i]?.take(cidr) ?? false)
    })
    return taken.every(Boolean)
  }

  release(node: string): void {
    this.#free(this.#owned.get(node) ?? [])
    this.#owned.delete(node)
  }

  #free(parts: readonly string[]): void {
    for (const [i, part] of parts.entries()) {
      const cidr = parseCidr(part)
      if (cidr) this.#sets[i]?.free(cidr)
    }
  }
}
