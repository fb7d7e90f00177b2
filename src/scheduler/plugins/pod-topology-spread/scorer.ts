import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ClusterSnapshot } from '../../cache/snapshot.js'
import { maxNodeScore, type PodScorer } from '../../framework/plugin.js'
import { countMatchingPods, hasAllKeys, type SpreadConstraint } from './constraint.js'

const hostname = 'kubernetes.io/hostname'

/** A node that cannot be compared, because it is in no domain of some constraint. */
const incomparable = -1

interface Entry {
  readonly constraint: SpreadConstraint
  /** How many pods there are in each domain of the nodes that would do. Of domains that are nodes, each node is asked itself. */
  readonly counts: Map<string, number> | undefined
  /** Domains of which there are many hold few pods each: their pods count more. */
  readonly weight: number
}

export interface SpreadScorerContext {
  readonly pod: PodInfo
  readonly snapshot: ClusterSnapshot
  /** Those that would do. */
  readonly nodes: readonly NodeInfo[]
  readonly constraints: readonly SpreadConstraint[]
  /** A node without one of the keys is the worst of all. Otherwise only that key does not count. */
  readonly needsAllKeys: boolean
}

/** The fewer pods there are already where a node is, the better. */
export class SpreadScorer implements PodScorer {
  readonly #parts: SpreadScorerContext
  readonly #entries: readonly Entry[]

  constructor(parts: SpreadScorerContext) {
    this.#parts = parts
    const comparable = parts.nodes.filter((node) => this.#isComparable(node))
    this.#entries = parts.constraints.map((constraint) => entryOf(constraint, comparable))
    this.#count()
  }

  score(node: NodeInfo): number {
    if (!this.#isComparable(node)) return incomparable
    let score = 0
    for (let i = 0; i < this.#entries.length; i++) {
      const { constraint, counts, weight } = this.#entries[i]!
      const domain = node.labels[constraint.topologyKey]
      if (domain === undefined) continue
      const count = counts ? (counts.get(domain) ?? 0) : countMatchingPods(node, constraint, this.#parts.pod.namespace)
      score += count * weight + (constraint.maxSkew - 1)
    }
    return Math.round(score)
  }

  normalize(scores: Float64Array): void {
    let lowest = Number.POSITIVE_INFINITY
    let highest = 0
    for (const score of scores) {
      if (score === incomparable) continue
      lowest = Math.min(lowest, score)
      highest = Math.max(highest, score)
    }
    for (let k = 0; k < scores.length; k++) {
      const score = scores[k]!
      if (score === incomparable) scores[k] = 0
      else scores[k] = highest === 0 ? maxNodeScore : Math.trunc((maxNodeScore * (highest + lowest - score)) / highest)
    }
  }

  #isComparable({ labels }: NodeInfo): boolean {
    return !this.#parts.needsAllKeys || hasAllKeys(labels, this.#parts.constraints)
  }

  /** All nodes have a part in it, those included that would not do themselves but are in the same domain. */
  #count(): void {
    const { snapshot, pod } = this.#parts
    const entries = this.#entries.filter(({ counts }) => counts && counts.size > 0)
    if (entries.length === 0) return
    for (const node of snapshot.nodes) {
      if (!this.#isComparable(node)) continue
      for (const { constraint, counts } of entries) {
        const domain = node.labels[constraint.topologyKey]
        const known = domain === undefined ? undefined : counts!.get(domain)
        if (known === undefined || !constraint.includes(node.node)) continue
        counts!.set(domain!, known + countMatchingPods(node, constraint, pod.namespace))
      }
    }
  }
}

function entryOf(constraint: SpreadConstraint, nodes: readonly NodeInfo[]): Entry {
  const { topologyKey } = constraint
  const counts = new Map<string, number>()
  if (topologyKey === hostname) return { constraint, counts: undefined, weight: Math.log(nodes.length + 2) }
  for (const { labels } of nodes) {
    const domain = labels[topologyKey]
    if (domain !== undefined) counts.set(domain, 0)
  }
  return { constraint, counts, weight: Math.log(counts.size + 2) }
}
