import { parseCidr } from '../../schema/values/ip-address.js'
import { RangeSet } from './range-set.js'
import { type NodeRangeOptions, nodeRanges, parsedRanges } from './ranges.js'

/** Which parts of the ranges belong to whom. */
export class Allocator {
  readonly #sets: readonly RangeSet[]
  readonly #owned = new Map<string, readonly string[]>()

  constructor(options: NodeRangeOptions) {
    this.#sets = nodeRanges(options).map(({ range, partLength }) => new RangeSet(range, partLength))
    const services = options.serviceClusterIpRange ? parsedRanges(options.serviceClusterIpRange) : []
    for (const range of services) for (const set of this.#sets) set.take(range)
  }

  /**
   * One of each range for a node that has none, in the order of the ranges; undefined if one of them has none left. Whoever asks again because
   * it does not know what became of the first is given the same.
   */
  give(node: string): readonly string[] | undefined {
    const meant = this.#owned.get(node)
    if (meant) return meant
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

  /** Notes what a node has, whoever gave it. False if something of it is not of these ranges. */
  note(node: string, parts: readonly string[]): boolean {
    if (this.#owned.get(node)?.join() === parts.join()) return true
    this.takeBack(node)
    this.#owned.set(node, parts)
    const taken = parts.map((part, i) => {
      const cidr = parseCidr(part)
      return cidr !== undefined && (this.#sets[i]?.take(cidr) ?? false)
    })
    return taken.every(Boolean)
  }

  /** The node has gone, or was not given what was meant for it. */
  takeBack(node: string): void {
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
