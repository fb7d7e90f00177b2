import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ClusterSnapshot } from '../../cache/snapshot.js'
import type { AdjustableFilter } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'
import { countMatchingPods, hasAllKeys, isMatchingPod, type SpreadConstraint } from './constraint.js'
import { AdjustableDomainCounts, DomainCounts } from './domain-counts.js'

export const podTopologySpreadName = 'PodTopologySpread'

const skewTooLarge: PluginRejection = {
  plugin: podTopologySpreadName,
  reasons: ["node(s) didn't match pod topology spread constraints"],
  isResolvable: true,
}
const missingLabel: PluginRejection = {
  plugin: podTopologySpreadName,
  reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
  isResolvable: false,
}

interface CountedConstraint {
  readonly constraint: SpreadConstraint
  readonly counts: AdjustableDomainCounts
  /** 1 if the incoming pod matches the selector itself. */
  readonly self: 0 | 1
}

/** Rejects a node if its domain would exceed the global minimum by more than `maxSkew`. */
export class SpreadFilter implements AdjustableFilter {
  readonly #pod: PodInfo
  readonly #constraints: readonly SpreadConstraint[]
  readonly #counted: readonly CountedConstraint[]

  private constructor(pod: PodInfo, counted: readonly CountedConstraint[]) {
    this.#pod = pod
    this.#constraints = counted.map(({ constraint }) => constraint)
    this.#counted = counted
  }

  static of(pod: PodInfo, constraints: readonly SpreadConstraint[], snapshot: ClusterSnapshot): SpreadFilter {
    const counts = countsByDomain(pod.namespace, constraints, snapshot)
    const counted = constraints.map((constraint, i) => ({
      constraint,
      counts: new AdjustableDomainCounts(new DomainCounts(counts[i]!), constraint.minDomains),
      self: constraint.selector.matches(pod.labels) ? (1 as const) : (0 as const),
    }))
    return new SpreadFilter(pod, counted)
  }

  filter({ labels }: NodeInfo): PluginRejection | undefined {
    for (let i = 0; i < this.#counted.length; i++) {
      const { constraint, counts, self } = this.#counted[i]!
      const domain = labels[constraint.topologyKey]
      if (domain === undefined) return missingLabel
      if (counts.of(domain) + self - counts.minimum > constraint.maxSkew) return skewTooLarge
    }
    return undefined
  }

  adjustable(): SpreadFilter {
    const counted = this.#counted.map((each) => ({ ...each, counts: each.counts.copy() }))
    return new SpreadFilter(this.#pod, counted)
  }

  addPod(pod: PodInfo, node: NodeInfo): void {
    this.#adjust(pod, node, 1)
  }

  removePod(pod: PodInfo, node: NodeInfo): void {
    this.#adjust(pod, node, -1)
  }

  #adjust(pod: PodInfo, { node, labels }: NodeInfo, amount: 1 | -1): void {
    if (!hasAllKeys(labels, this.#constraints)) return
    for (const { constraint, counts } of this.#counted) {
      const { selector, includes, topologyKey } = constraint
      if (selector.isEmpty || !isMatchingPod(pod, selector, this.#pod.namespace) || !includes(node)) continue
      counts.add(labels[topologyKey]!, amount)
    }
  }
}

/** For each constraint, the number of matching pods in each domain. */
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
