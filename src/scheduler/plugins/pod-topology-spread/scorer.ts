import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ClusterSnapshot } from '../../cache/snapshot.js'
import { maxNodeScore, type PodScorer } from '../../framework/plugin.js'
import { countMatchingPods, hasAllKeys, type SpreadConstraint } from './constraint.js'

const hostnameKey = 'kubernetes.io/hostname'

/** The raw score of a node that lacks a topology key. */
const ignoredNode = -1

interface CountedConstraint {
  readonly constraint: SpreadConstraint
  /** Matching pods by domain, of the domains of feasible nodes. Undefined if each node is its own domain. */
  readonly counts: Map<string, number> | undefined
  /** Many domains have few pods each: their pods count more. */
  readonly weight: number
}

export interface SpreadScorerContext {
  readonly pod: PodInfo
  readonly snapshot: ClusterSnapshot
  /** The feasible nodes. */
  readonly nodes: readonly NodeInfo[]
  readonly constraints: readonly SpreadConstraint[]
  /** A node that lacks a key gets the lowest score. If false, only the constraint of that key does not count for it. */
  readonly needsAllKeys: boolean
}

/** The fewer matching pods the domains of a node have, the higher its score. */
export class SpreadScorer implements PodScorer {
  readonly #context: SpreadScorerContext
  readonly #counted: readonly CountedConstraint[]

  constructor(context: SpreadScorerContext) {
    this.#context = context
    const scored = context.nodes.filter((node) => this.#isScored(node))
    this.#counted = context.constraints.map((constraint) => emptyCounts(constraint, scored))
    this.#countPods()
  }

  score(node: NodeInfo): number {
    if (!this.#isScored(node)) return ignoredNode
    let score = 0
    for (let i = 0; i < this.#counted.length; i++) {
      const { constraint, counts, weight } = this.#counted[i]!
      const domain = node.labels[constraint.topologyKey]
      if (domain === undefined) continue
      const { namespace } = this.#context.pod
      const count = counts ? (counts.get(domain) ?? 0) : countMatchingPods(node, constraint, namespace)
      score += count * weight + (constraint.maxSkew - 1)
    }
    return Math.round(score)
  }

  normalize(scores: Float64Array): void {
    let lowest = Number.POSITIVE_INFINITY
    let highest = 0
    for (const score of scores) {
      if (score === ignoredNode) continue
      lowest = Math.min(lowest, score)
      highest = Math.max(highest, score)
    }
    for (let k = 0; k < scores.length; k++) {
      const score = scores[k]!
      if (score === ignoredNode) scores[k] = 0
      else scores[k] = highest === 0 ? maxNodeScore : Math.trunc((maxNodeScore * (highest + lowest - score)) / highest)
    }
  }

  #isScored({ labels }: NodeInfo): boolean {
    return !this.#context.needsAllKeys || hasAllKeys(labels, this.#context.constraints)
  }

  /** Counts the pods of all nodes: also of those that are not feasible but share a domain with a feasible one. */
  #countPods(): void {
    const { snapshot, pod } = this.#context
    const counted = this.#counted.filter(({ counts }) => counts && counts.size > 0)
    if (counted.length === 0) return
    for (const node of snapshot.nodes) {
      if (!this.#isScored(node)) continue
      for (const { constraint, counts } of counted) {
        const domain = node.labels[constraint.topologyKey]
        const known = domain === undefined ? undefined : counts!.get(domain)
        if (known === undefined || !constraint.includes(node.node)) continue
        counts!.set(domain!, known + countMatchingPods(node, constraint, pod.namespace))
      }
    }
  }
}

function emptyCounts(constraint: SpreadConstraint, nodes: readonly NodeInfo[]): CountedConstraint {
  const { topologyKey } = constraint
  const counts = new Map<string, number>()
  if (topologyKey === hostnameKey) return { constraint, counts: undefined, weight: Math.log(nodes.length + 2) }
  for (const { labels } of nodes) {
    const domain = labels[topologyKey]
    if (domain !== undefined) counts.set(domain, 0)
  }
  return { constraint, counts, weight: Math.log(counts.size + 2) }
}
