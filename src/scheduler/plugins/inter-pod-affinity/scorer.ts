import {
  type AffinityTerm,
  type AffinityTerms,
  termMatches,
  type WeightedAffinityTerm,
} from '../../cache/affinity-terms.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ClusterSnapshot } from '../../cache/snapshot.js'
import { maxNodeScore, type PodScorer } from '../../framework/plugin.js'
import { type NamespaceLookup, resolvedTermMatches } from './terms.js'
import { TopologyCounts } from './topology-counts.js'

export interface AffinityScorerOptions {
  /** How much it counts that a pod that is there requires to be near to the new one; 0 for nothing. */
  readonly hardPodAffinityWeight: number
  /** What pods prefer that are there already does not count for pods that prefer nothing. */
  readonly ignorePreferredTermsOfExistingPods: boolean
}

export interface AffinityScorerContext {
  readonly pod: PodInfo
  readonly snapshot: ClusterSnapshot
  readonly namespaces: NamespaceLookup
}

/** The more of those the pod prefers to be near to, and of those that prefer to be near to it, the better. */
export function affinityScorer(
  { pod, snapshot, namespaces }: AffinityScorerContext,
  options: AffinityScorerOptions,
): PodScorer | undefined {
  const preferred = pod.affinity.preferred.map(namespaces.resolved)
  const preferredAnti = pod.affinity.preferredAnti.map(namespaces.resolved)
  const isSilent = preferred.length === 0 && preferredAnti.length === 0
  if (isSilent && options.ignorePreferredTermsOfExistingPods) return undefined
  const counts = new TopologyCounts()
  const own = [...preferred, ...preferredAnti.map((term) => ({ ...term, weight: -term.weight }))]
  if (!isSilent) for (const node of snapshot.nodes) addOwnWishes(counts, own, node)
  addWishesOfOthers(counts, { pod, snapshot, namespaces }, options)
  if (!counts.isTouched) return undefined
  return { score: ({ labels }) => counts.sumAt(labels), normalize }
}

function addOwnWishes(
  counts: TopologyCounts,
  terms: readonly WeightedAffinityTerm[],
  { pods, labels }: NodeInfo,
): void {
  for (let i = 0; i < pods.length; i++)
    for (let k = 0; k < terms.length; k++) {
      const term = terms[k]!
      if (resolvedTermMatches(term, pods[i]!)) counts.add(term.topologyKey, labels, term.weight)
    }
}

/** What it means for a node, and all that are near to it, that some pod is there. */
interface Effect {
  readonly topologyKey: string
  readonly weight: number
}

function addWishesOfOthers(
  counts: TopologyCounts,
  { pod, snapshot, namespaces }: AffinityScorerContext,
  { hardPodAffinityWeight }: AffinityScorerOptions,
): void {
  const labels = namespaces.labelsOf(pod.namespace)
  // Pods of one template share their terms: whom these mean is worked out once.
  const known = new Map<AffinityTerms, readonly Effect[]>()
  const effectsOf = (terms: AffinityTerms) => {
    const meant = wishesIn(terms, hardPodAffinityWeight).filter(({ term }) => termMatches(term, pod, labels))
    const effects = meant.map(({ term, weight }) => ({ topologyKey: term.topologyKey, weight }))
    known.set(terms, effects)
    return effects
  }
  for (const node of snapshot.withAffinity)
    for (const { affinity } of node.podsWithAffinity)
      addEffects(counts, known.get(affinity) ?? effectsOf(affinity), node)
}

function addEffects(counts: TopologyCounts, effects: readonly Effect[], { labels }: NodeInfo): void {
  for (let i = 0; i < effects.length; i++) counts.add(effects[i]!.topologyKey, labels, effects[i]!.weight)
}

/** What a pod that is there has to say of others who could come, and how much that counts. */
function wishesIn(
  { required, preferred, preferredAnti }: AffinityTerms,
  hardWeight: number,
): readonly { readonly term: AffinityTerm; readonly weight: number }[] {
  return [
    ...(hardWeight > 0 ? required.map((term) => ({ term, weight: hardWeight })) : []),
    ...preferred.map((term) => ({ term, weight: term.weight })),
    ...preferredAnti.map((term) => ({ term, weight: -term.weight })),
  ]
}

/** The lowest becomes 0 and the highest 100; if all are the same, they are 0. */
function normalize(scores: Float64Array): void {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const score of scores) {
    lowest = Math.min(lowest, score)
    highest = Math.max(highest, score)
  }
  const range = highest - lowest
  for (let k = 0; k < scores.length; k++)
    scores[k] = range > 0 ? Math.trunc(maxNodeScore * ((scores[k]! - lowest) / range)) : 0
}
