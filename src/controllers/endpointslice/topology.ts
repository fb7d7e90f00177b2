import { Node } from '../../api/core/v1/node.js'
import type { Service } from '../../api/core/v1/service.js'
import type { AddressType } from '../../api/discovery/v1/endpoint-slice.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { isOverloaded, type ZoneCounts } from './allocation.js'
import { closeHints, prefersClose } from './close-hints.js'
import { type SliceSet, withoutHints } from './hints.js'
import { zoneLabel } from './pod-endpoint.js'
import { zoneHints } from './zone-hints.js'
import { isReadyNode, type ZoneShares, zoneShares } from './zone-shares.js'

/** What people are told when clients are, or are no longer, led to endpoints near them. */
export interface Told {
  readonly type: 'Normal' | 'Warning'
  readonly reason: 'TopologyAwareHintsEnabled' | 'TopologyAwareHintsDisabled'
  readonly message: string
}

const modeAnnotations = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode']

/** Whether endpoints are to be divided among zones. Of the two annotations the older one counts, if it is there. */
export function wantsZoneHints({ metadata }: Service): boolean {
  const mode = modeAnnotations.map((name) => metadata.annotations?.[name]).find((value) => value !== undefined)
  return mode === 'Auto' || mode === 'auto'
}

/** Remembers what was given to zones, to know whom a change of the nodes concerns and what was told before. */
export class Topology {
  readonly #counts = new Map<string, Map<AddressType, ZoneCounts>>()
  readonly #enabled = new Set<string>()
  #shares: ZoneShares | undefined
  #isStale = true

  /** Hints for the slices of a service, and what is to be told of them. */
  hint(
    set: SliceSet,
    service: Service,
    subject: { key: string; addressType: AddressType; nodes: () => Iterable<Node> },
  ) {
    const { key, addressType, nodes } = subject
    if (!wantsZoneHints(service)) {
      const told = this.#enabled.has(key) ? [disabled('Topology Aware Hints has been disabled', addressType)] : []
      this.#forget(key, addressType)
      return { set: prefersClose(service) ? closeHints(set, service) : withoutHints(set), told }
    }
    const hinted = zoneHints(set, this.#currentShares(nodes))
    if ('refused' in hinted) {
      this.#forget(key, addressType)
      return { set: withoutHints(set), told: [disabled(hinted.refused, addressType)] }
    }
    const told = this.#enabled.has(key) ? [] : [enabled(addressType)]
    this.#remember(key, addressType, hinted.counts)
    return { set: hinted.set, told }
  }

  /** The services that have too few endpoints for some zone since this change of a node. */
  *concerned({ type, object, old }: Change<Node>, informers: SharedInformers): Iterable<string> {
    const isUnimportant =
      type === 'updated' && old && isReadyNode(old) === isReadyNode(object) && zoneOf(old) === zoneOf(object)
    if (isUnimportant) return
    this.#isStale = true
    if (this.#counts.size === 0) return
    const shares = this.#currentShares(() => informers.of(Node).list())
    for (const [key, byType] of this.#counts)
      if ([...byType.values()].some((counts) => isOverloaded(counts, shares))) yield key
  }

  forget(key: string): void {
    this.#counts.delete(key)
    this.#enabled.delete(key)
  }

  #currentShares(nodes: () => Iterable<Node>): ZoneShares | undefined {
    if (this.#isStale) this.#shares = zoneShares(nodes())
    this.#isStale = false
    return this.#shares
  }

  #remember(key: string, addressType: AddressType, counts: ZoneCounts): void {
    const byType = this.#counts.get(key) ?? new Map<AddressType, ZoneCounts>()
    this.#counts.set(key, byType.set(addressType, counts))
    this.#enabled.add(key)
  }

  #forget(key: string, addressType: AddressType): void {
    const byType = this.#counts.get(key)
    byType?.delete(addressType)
    if (byType?.size === 0) this.#counts.delete(key)
    this.#enabled.delete(key)
  }
}

function zoneOf({ metadata }: Node): string {
  return metadata.labels?.[zoneLabel] ?? ''
}

function disabled(why: string, addressType: AddressType): Told {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${why}, addressType: ${addressType}` }
}

function enabled(addressType: AddressType): Told {
  const message = `Topology Aware Hints has been enabled, addressType: ${addressType}`
  return { type: 'Normal', reason: 'TopologyAwareHintsEnabled', message }
}
