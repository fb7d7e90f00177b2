import { Node } from '../../api/core/v1/node.js'
import type { AddressType } from '../../api/discovery/v1/endpoint-slice.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { isOverloaded, type ZoneCounts } from './allocation.js'
import { zoneLabel } from './pod-endpoint.js'
import { isReadyNode, type ZoneShares, zoneShares } from './zone-shares.js'

/** How many endpoints the zones of each service have, to find the services that a change of a node concerns. */
export class Topology {
  readonly #counts = new Map<string, Map<AddressType, ZoneCounts>>()
  readonly #enabled = new Set<string>()
  #shares: ZoneShares | undefined
  #isStale = true

  isEnabled(key: string): boolean {
    return this.#enabled.has(key)
  }

  /** Calculated again only after a change of a node. */
  shares(nodes: () => Iterable<Node>): ZoneShares | undefined {
    if (this.#isStale) this.#shares = zoneShares(nodes())
    this.#isStale = false
    return this.#shares
  }

  /** Remembers the counts of a service; undefined if it has no zone hints. */
  update(key: string, addressType: AddressType, counts: ZoneCounts | undefined): void {
    const byType = this.#counts.get(key) ?? new Map<AddressType, ZoneCounts>()
    if (counts) {
      this.#counts.set(key, byType.set(addressType, counts))
      this.#enabled.add(key)
      return
    }
    byType.delete(addressType)
    if (byType.size === 0) this.#counts.delete(key)
    this.#enabled.delete(key)
  }

  forget(key: string): void {
    this.#counts.delete(key)
    this.#enabled.delete(key)
  }

  /** The services that have too few endpoints for a zone after this change of a node. */
  *servicesOf({ type, object, old }: Change<Node>, informers: SharedInformers): Iterable<string> {
    const isUnimportant =
      type === 'updated' && old && isReadyNode(old) === isReadyNode(object) && zoneOf(old) === zoneOf(object)
    if (isUnimportant) return
    this.#isStale = true
    if (this.#counts.size === 0) return
    const shares = this.shares(() => informers.of(Node).list())
    for (const [key, byType] of this.#counts)
      if ([...byType.values()].some((counts) => isOverloaded(counts, shares))) yield key
  }
}

function zoneOf({ metadata }: Node): string {
  return metadata.labels?.[zoneLabel] ?? ''
}
