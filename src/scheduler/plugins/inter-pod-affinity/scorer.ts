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
  /** The weight of a required affinity term of an existing pod that matches the incoming pod; 0 for none. */
  readonly hardPodAffinityWeight: number
  /** Preferred terms of existing pods do not count for incoming pods without preferred terms. */
  readonly ignorePreferredTermsOfExistingPods: boolean
}

export interface AffinityScorerContext {
  readonly pod: PodInfo
  readonly snapshot: ClusterSnapshot
  readonly namespaces: NamespaceLookup
}

/** A node scores by the terms of the incoming pod that match pods near it, and by the terms of these pods that match the incoming pod. */
export function affinityScorer(context: AffinityScorerContext, options: AffinityScorerOptions): PodScorer | undefined {
  const { pod, snapshot, namespaces } = context
  const preferred = pod.affinity.preferred.map(namespaces.resolved)
  const preferredAnti = pod.affinity.preferredAnti.map(namespaces.resolved)
  const hasPreferences = preferred.length > 0 || preferredAnti.length > 0
  if (!hasPreferences && options.ignorePreferredTermsOfExistingPods) return undefined
  const counts = new TopologyCounts()
  const own = [...preferred, ...preferredAnti.map((term) => ({ ...term, weight: -term.weight }))]
  if (hasPreferences) for (const node of snapshot.nodes) addIncomingTerms(counts, own, node)
  addExistingTerms(counts, context, options)
  if (!counts.isTouched) return undefined
  return { score: ({ labels }) => counts.ownSumAt(labels), normalize }
}

function addIncomingTerms(
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

/** What one existing pod adds to the nodes of its topology. */
interface TopologyWeight {
  readonly topologyKey: string
  readonly weight: number
}

function addExistingTerms(
  counts: TopologyCounts,
  { pod, snapshot, namespaces }: AffinityScorerContext,
  { hardPodAffinityWeight }: AffinityScorerOptions,
): void {
  const namespaceLabels = namespaces.labelsOf(pod.namespace)
  // Pods of one template share their terms: which of these match is computed once for all of them.
  const known = new Map<AffinityTerms, readonly TopologyWeight[]>()
  const weightsOf = (terms: AffinityTerms) => {
    const matching = weightedTerms(terms, hardPodAffinityWeight).filter(({ term }) =>
      termMatches(term, pod, namespaceLabels),
    )
    const weights = matching.map(({ term, weight }) => ({ topologyKey: term.topologyKey, weight }))
    known.set(terms, weights)
    return weights
  }
  for (const node of snapshot.withAffinity)
    for (const { affinity } of node.podsWithAffinity)
      addWeights(counts, known.get(affinity) ?? weightsOf(affinity), node)
}

function addWeights(counts: TopologyCounts, weights: readonly TopologyWeight[], { labels }: NodeInfo): void {
  for (let i = 0; i < weights.length; i++) counts.add(weights[i]!.topologyKey, labels, weights[i]!.weight)
}

/** The terms of an existing pod that say something about incoming pods. */
function weightedTerms(
  { required, preferred, preferredAnti }: AffinityTerms,
  hardWeight: number,
): readonly { readonly term: AffinityTerm; readonly weight: number }[] {
  return [
    ...(hardWeight > 0 ? required.map((term) => ({ term, weight: hardWeight })) : []),
    ...preferred.map((term) => ({ term, weight: term.weight })),
    ...preferredAnti.map((term) => ({ term, weight: -term.weight })),
  ]
}

/** The lowest becomes 0 and the highest 100. If all are equal, all become 0. */
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
