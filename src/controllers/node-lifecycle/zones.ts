import type { NodeCondition } from '../../api/core/v1/node/status.js'
import { EvictionQueue } from './eviction-queue.js'

export interface EvictionRates {
  /** Nodes per second whose pods are evicted, in a zone that works or is lost as a whole. */
  readonly usual: number
  /** The same in a large zone that is lost in part. */
  readonly reduced: number
  /** A zone with more nodes is large. In a smaller one that is lost in part, no pods are evicted. */
  readonly largeZone: number
  /** A zone counts as lost in part if at least this share of its nodes is not ready. */
  readonly lostPart: number
}

export type ZoneState = 'Initial' | 'Normal' | 'FullDisruption' | 'PartialDisruption'

/** The status of the condition Ready of each node of a zone. */
export type ReadyStatuses = readonly (NodeCondition['status'] | undefined)[]

/** If many nodes of a zone become unready at once, the cause is probably the network, not the nodes. */
export function zoneState(statuses: ReadyStatuses, lostPart: number): Exclude<ZoneState, 'Initial'> {
  const ready = statuses.filter((status) => status === 'True').length
  const unready = statuses.length - ready
  if (ready === 0 && unready > 0) return 'FullDisruption'
  return unready > 2 && unready / statuses.length >= lostPart ? 'PartialDisruption' : 'Normal'
}

export interface ZonesObservation {
  /** The state of each zone before the check. */
  readonly before: ReadonlyMap<string, ZoneState>
  readonly statuses: ReadonlyMap<string, ReadyStatuses>
  readonly rates: EvictionRates
}

export interface ZonesDecision {
  /** All zones that have nodes. */
  readonly zones: ReadonlyMap<string, ZoneChange>
  readonly transition?: ZonesTransition
}

interface ZoneChange {
  readonly state: ZoneState
  /** The new eviction rate; undefined if it does not change. */
  readonly rate?: number
}

/** A change of all zones at once. */
export type ZonesTransition = 'all lost' | 'some found again'

/** If no node of the cluster is ready, the controller itself is probably cut off: then no pods are evicted. */
export function decide({ before, statuses, rates }: ZonesObservation): ZonesDecision {
  const states = [...statuses].map(([zone, each]) => ({
    zone,
    size: each.length,
    state: zoneState(each, rates.lostPart),
  }))
  const areLost = states.every(({ state }) => state === 'FullDisruption')
  const wereLost = states.every(({ zone }) => before.get(zone) === 'FullDisruption')
  const isSettled = areLost && wereLost
  const zones = states.map(({ zone, size, state }): [string, ZoneChange] => {
    if (isSettled || !(areLost || wereLost || before.get(zone) !== state)) return [zone, { state }]
    return [zone, { state, rate: areLost ? 0 : evictionRate(state, size, rates) }]
  })
  const transition = isSettled ? undefined : areLost ? 'all lost' : wereLost ? 'some found again' : undefined
  return { zones: new Map(zones), ...(transition && { transition }) }
}

function evictionRate(state: ZoneState, size: number, { usual, reduced, largeZone }: EvictionRates): number {
  if (state !== 'PartialDisruption') return usual
  return size > largeZone ? reduced : 0
}

interface Zone {
  readonly queue: EvictionQueue
  state: ZoneState
}

/** The state and the eviction queue of each zone. */
export class Zones {
  readonly #zones = new Map<string, Zone>()
  readonly rates: EvictionRates

  constructor(rates: EvictionRates) {
    this.rates = rates
  }

  get states(): ReadonlyMap<string, ZoneState> {
    return new Map([...this.#zones].map(([key, { state }]) => [key, state]))
  }

  keys(): Iterable<string> {
    return this.#zones.keys()
  }

  queue(key: string): EvictionQueue {
    return this.#zone(key).queue
  }

  /** Removes a node from the queues of all zones. */
  remove(node: string): void {
    for (const { queue } of this.#zones.values()) queue.remove(node)
  }

  /** Forgets all other zones. `now` is by the monotonic clock. */
  apply(zones: ZonesDecision['zones'], now: number): void {
    for (const [key, { state, rate }] of zones) {
      const zone = this.#zone(key)
      zone.state = state
      if (rate !== undefined) zone.queue.changeRate(rate, now)
    }
    for (const key of this.#zones.keys()) if (!zones.has(key)) this.#zones.delete(key)
  }

  #zone(key: string): Zone {
    const zone = this.#zones.get(key) ?? { queue: new EvictionQueue(this.rates.usual), state: 'Initial' }
    this.#zones.set(key, zone)
    return zone
  }
}
