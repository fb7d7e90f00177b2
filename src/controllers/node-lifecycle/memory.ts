import type { Node } from '../../api/core/v1/node.js'
import type { Examining, Health } from './health.js'
import { type EvictionRates, Zones } from './zones.js'

/** What the loop remembers between looks. Whoever starts anew gives every node its time again. */
export class LifecycleMemory {
  /** Those that people were told of. */
  readonly nodes = new Map<string, Node>()
  readonly health = new Map<string, Health>()
  /** Nodes that fell silent and have pods which could not be marked. */
  readonly unmarked = new Set<string>()
  readonly zones: Zones
  readonly patience: Pick<Examining, 'grace' | 'startupGrace'>

  constructor(rates: EvictionRates, patience: Pick<Examining, 'grace' | 'startupGrace'>) {
    this.zones = new Zones(rates)
    this.patience = patience
  }

  forget(node: string): void {
    this.nodes.delete(node)
    this.health.delete(node)
    this.unmarked.delete(node)
    this.zones.remove(node)
  }
}
