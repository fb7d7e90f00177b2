import type { Node } from '../../api/core/v1/node.js'
import type { HealthCheckInput, NodeHealth } from './health.js'
import { type EvictionRates, Zones } from './zones.js'

/** What the loop remembers between looks. Whoever starts anew gives every node its time again. */
export class LifecycleState {
  /** Those that people were told of. */
  readonly nodes = new Map<string, Node>()
  readonly health = new Map<string, NodeHealth>()
  /** Nodes that fell silent and have pods which could not be marked. */
  readonly unmarked = new Set<string>()
  readonly zones: Zones
  readonly patience: Pick<HealthCheckInput, 'grace' | 'startupGrace'>

  constructor(rates: EvictionRates, patience: Pick<HealthCheckInput, 'grace' | 'startupGrace'>) {
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
