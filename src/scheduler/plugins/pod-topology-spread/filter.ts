import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ClusterSnapshot } from '../../cache/snapshot.js'
import type { AdjustableFilter } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'
import { countMatchingPods, hasAllKeys, isMatchingPod, type SpreadConstraint } from './constraint.js'
import { AdjustableDomainCounts, DomainCounts } from './domain-counts.js'

export const name = 'PodTopologySpread'

const uneven: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match pod topology spread constraints"],
  isResolvable: true,
}
const nowhere: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
  isResolvable: false,
}

interface Entry {
  readonly constraint: SpreadConstraint
  readonly tally: AdjustableDomainCounts
  /** The pod would itself be counted. */
  readonly self: 0 | 1
}

/** In no domain there may be so many more pods than in the emptiest. */
export class SpreadFilter implements AdjustableFilter {
  readonly #pod: PodInfo
  readonly #constraints: readonly SpreadConstraint[]
  readonly #entries: readonly Entry[]

  private constructor(pod: PodInfo, entries: readonly Entry[]) {
    this.#pod = pod
    this.#constraints = entries.map(({ constraint }) => constraint)
    this.#entries = entries
  }

  static of(pod: PodInfo, constraints: readonly SpreadConstraint[], snapshot: ClusterSnapshot): SpreadFilter {
    const counts = countsByDomain(pod.namespace, constraints, snapshot)
    const entries = constraints.map((constraint, i) => ({
      constraint,
      tally: new AdjustableDomainCounts(new DomainCounts(counts[i]!), constraint.minDomains),
      self: constraint.selector.matches(pod.labels) ? (1 as const) : (0 as const),
    }))
    return new SpreadFilter(pod, entries)
  }

  filter({ labels }: NodeInfo): PluginRejection | undefined {
    for (let i = 0; i < this.#entries.length; i++) {
      const { constraint, tally, self } = this.#entries[i]!
      const domain = labels[constraint.topologyKey]
      if (domain === undefined) return nowhere
      if (tally.of(domain) + self - tally.lowest > constraint.maxSkew) return uneven
    }
    return undefined
  }

  adjustable(): SpreadFilter {
    const entries = this.#entries.map((entry) => ({ ...entry, tally: entry.tally.adjustable() }))
    return new SpreadFilter(this.#pod, entries)
  }

  addPod(pod: PodInfo, node: NodeInfo): void {
    this.#adjust(pod, node, 1)
  }

  removePod(pod: PodInfo, node: NodeInfo): void {
    this.#adjust(pod, node, -1)
  }

  #adjust(pod: PodInfo, { node, labels }: NodeInfo, amount: 1 | -1): void {
    if (!hasAllKeys(labels, this.#constraints)) return
    for (const { constraint, tally } of this.#entries) {
      const { selector, includes, topologyKey } = constraint
      if (selector.isEmpty || !isMatchingPod(pod, selector, this.#pod.namespace) || !includes(node)) continue
      tally.add(labels[topologyKey]!, amount)
    }
  }
}

/** For each constraint, how many of the pods that it means are in each domain. */
function countsByDomain(
  namespace: string,
  constraints: readonly SpreadConstraint[],
  { nodes }: ClusterSnapshot,
): readonly Map<string, number>[] {
  const counts = constraints.map(() => new Map<string, number>())
  for (const node of nodes) {
    if (!hasAllKeys(node.labels, constraints)) continue
    for (let i = 0; i < constraints.length; i++) {
      const constraint = constraints[i]!
      if (!constraint.includes(node.node)) continue
      const domain = node.labels[constraint.topologyKey]!
      counts[i]!.set(domain, (counts[i]!.get(domain) ?? 0) + countMatchingPods(node, constraint, namespace))
    }
  }
  return counts
}
