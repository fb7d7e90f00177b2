import { type AffinityTerm, type AffinityTerms, isMeant, type WeightedAffinityTerm } from '../../affinity-terms.js'
import type { NodeInfo } from '../../node-info.js'
import { highestScore, type PodScorer } from '../../plugin.js'
import type { PodInfo } from '../../pod-info.js'
import type { Snapshot } from '../../snapshot.js'
import { means, type Namespaces } from './terms.js'
import { TopologyCounts } from './topology-counts.js'

export interface AffinityScorerOptions {
  /** How much it counts that a pod that is there requires to be near to the new one; 0 for nothing. */
  readonly hardPodAffinityWeight: number
  /** What pods prefer that are there already does not count for pods that prefer nothing. */
  readonly ignorePreferredTermsOfExistingPods: boolean
}

export interface AffinityScorerParts {
  readonly pod: PodInfo
  readonly snapshot: Snapshot
  readonly namespaces: Namespaces
}

/** The more of those the pod prefers to be near to, and of those that prefer to be near to it, the better. */
export function affinityScorer(
  { pod, snapshot, namespaces }: AffinityScorerParts,
  options: AffinityScorerOptions,
): PodScorer | undefined {
  const preferred = pod.affinity.preferred.map(namespaces.resolved)
  const preferredAnti = pod.affinity.preferredAnti.map(namespaces.resolved)
  const isSilent = preferred.length === 0 && preferredAnti.length === 0
  if (isSilent && options.ignorePreferredTermsOfExistingPods) return undefined
  const counts = new TopologyCounts()
  if (!isSilent)
    for (const node of snapshot.nodes)
      for (const other of node.pods) {
        addMeant(counts, preferred, { other, node, sign: 1 })
        addMeant(counts, preferredAnti, { other, node, sign: -1 })
      }
  addWishesOfOthers(counts, { pod, snapshot, namespaces }, options)
  if (!counts.isTouched) return undefined
  return { score: ({ labels }) => counts.sumAt(labels), normalize }
}

function addMeant(
  counts: TopologyCounts,
  terms: readonly WeightedAffinityTerm[],
  { other, node, sign }: { readonly other: PodInfo; readonly node: NodeInfo; readonly sign: 1 | -1 },
): void {
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i]!
    if (means(term, other)) counts.add(term.topologyKey, node.labels, sign * term.weight)
  }
}

function addWishesOfOthers(
  counts: TopologyCounts,
  { pod, snapshot, namespaces }: AffinityScorerParts,
  { hardPodAffinityWeight }: AffinityScorerOptions,
): void {
  const labels = namespaces.labelsOf(pod.namespace)
  for (const node of snapshot.withAffinity)
    for (const { affinity } of node.podsWithAffinity)
      forEachWish(affinity, hardPodAffinityWeight, (term, weight) => {
        if (isMeant(term, pod, labels)) counts.add(term.topologyKey, node.labels, weight)
      })
}

/** What a pod that is there has to say of others who could come, and how much that counts. */
function forEachWish(
  { required, preferred, preferredAnti }: AffinityTerms,
  hardWeight: number,
  tell: (term: AffinityTerm, weight: number) => void,
): void {
  if (hardWeight > 0) for (const term of required) tell(term, hardWeight)
  for (const term of preferred) tell(term, term.weight)
  for (const term of preferredAnti) tell(term, -term.weight)
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
    scores[k] = range > 0 ? Math.trunc(highestScore * ((scores[k]! - lowest) / range)) : 0
}
