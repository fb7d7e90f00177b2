import type { NodeCondition } from '../../api/core/v1/node/status.js'
import { EvictionQueue } from './eviction-queue.js'

export interface EvictionRates {
  /** Nodes given up per second in a zone that is well, or lost altogether. */
  readonly usual: number
  /** The same in a large zone of which a part is lost. */
  readonly reduced: number
  /** A zone with more nodes is large; in a smaller one of which a part is lost, nothing is given up. */
  readonly largeZone: number
  /** From which part of silent nodes on a zone counts as lost in part. */
  readonly lostPart: number
}

export type ZoneState = 'Initial' | 'Normal' | 'FullDisruption' | 'PartialDisruption'

/** What is known of the nodes of a zone: whether each is ready. */
export type ReadyStatuses = readonly (NodeCondition['status'] | undefined)[]

/** What becomes of a zone: if too many of its nodes fall silent at once, the fault is rather with the network than with them. */
export function zoneState(statuses: ReadyStatuses, lostPart: number): Exclude<ZoneState, 'Initial'> {
  const ready = statuses.filter((status) => status === 'True').length
  const silent = statuses.length - ready
  if (ready === 0 && silent > 0) return 'FullDisruption'
  return silent > 2 && silent / statuses.length >= lostPart ? 'PartialDisruption' : 'Normal'
}

interface Zone {
  readonly queue: EvictionQueue
  state: ZoneState
}

/** What changed for all zones at once. */
export type ZonesTransition = 'all lost' | 'some found again' | undefined

/** The zones, in which state each is, and how fast its nodes are given up. */
export class Zones {
  readonly #zones = new Map<string, Zone>()
  readonly #rates: EvictionRates

  constructor(rates: EvictionRates) {
    this.#rates = rates
  }

  keys(): Iterable<string> {
    return this.#zones.keys()
  }

  queue(key: string): EvictionQueue {
    const zone = this.#zones.get(key) ?? { queue: new EvictionQueue(this.#rates.usual), state: 'Initial' }
    this.#zones.set(key, zone)
    return zone.queue
  }

  /** No node of any zone waits to be given up any more under this name. */
  remove(node: string): void {
    for (const { queue } of this.#zones.values()) queue.remove(node)
  }

  /** Takes in what was seen of all nodes. When none is ready, it is us who cannot see: then nothing is given up. */
  update(seen: ReadonlyMap<string, ReadyStatuses>, now: number): ZonesTransition {
    for (const key of seen.keys()) this.queue(key)
    for (const key of this.#zones.keys()) if (!seen.has(key)) this.#zones.delete(key)
    const states = new Map([...seen].map(([key, statuses]) => [key, zoneState(statuses, this.#rates.lostPart)]))
    const areLost = [...states.values()].every((state) => state === 'FullDisruption')
    const wereLost = [...this.#zones.values()].every(({ state }) => state === 'FullDisruption')
    if (areLost && wereLost) return undefined
    for (const [key, zone] of this.#zones) {
      const state = states.get(key)!
      if (areLost) zone.queue.changeRate(0, now)
      else if (wereLost || zone.state !== state) zone.queue.changeRate(this.#rate(state, seen.get(key)!.length), now)
      zone.state = state
    }
    return areLost ? 'all lost' : wereLost ? 'some found again' : undefined
  }

  #rate(state: ZoneState, size: number): number {
    const { usual, reduced, largeZone } = this.#rates
    if (state !== 'PartialDisruption') return usual
    return size > largeZone ? reduced : 0
  }
}
