import type { Node } from '../../api/core/v1/node.js'
import type { GracePeriods, NodeHealth } from './node-health.js'
import { type EvictionRates, Zones } from './zones.js'

/** What the controller remembers between two checks. It is not stored: after a restart every node has its whole grace period again. */
export class LifecycleState {
  /** The nodes whose registration was recorded as an event. */
  readonly nodes = new Map<string, Node>()
  readonly health = new Map<string, NodeHealth>()
  /** Nodes that are no longer ready, and whose pods are not all marked as not ready yet. */
  readonly unmarked = new Set<string>()
  readonly zones: Zones
  readonly gracePeriods: GracePeriods

  constructor(rates: EvictionRates, gracePeriods: GracePeriods) {
    this.zones = new Zones(rates)
    this.gracePeriods = gracePeriods
  }

  forget(node: string): void {
    this.nodes.delete(node)
    this.health.delete(node)
    this.unmarked.delete(node)
    this.zones.remove(node)
  }
}
