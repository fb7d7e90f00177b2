import type { PodInfo } from '../../cache/pod-info.js'
import type { PodScorer } from '../../framework/plugin.js'
import { countedResources, type ResourceWeight, resourceAmount, usedWithPod } from './resource-weights.js'

/** By how much of a node is used it is told how good it is. */
export interface ResourceScoringStrategy {
  readonly resources: readonly ResourceWeight[]
  /** From 0 to 100, of one resource, with the pod; `used` may be more than there is. */
  readonly worth: (used: number, capacity: number) => number
  /** What is worth nothing has no weight either. */
  readonly ignoresNothing?: boolean
  readonly round: (average: number) => number
}

/** The average over the resources that the node has and the pod wants, by their weights. */
export function strategyScorer(strategy: ResourceScoringStrategy): (pod: PodInfo) => PodScorer {
  const { resources, worth, ignoresNothing = false, round } = strategy
  return (pod) => {
    const counted = countedResources(pod, resources)
    return {
      score(node) {
        let total = 0
        let weights = 0
        for (let i = 0; i < counted.length; i++) {
          const { name, weight } = counted[i]!
          const capacity = resourceAmount(name, node.allocatable)
          if (capacity === 0) continue
          const score = worth(usedWithPod(name, node, pod), capacity)
          total += weight * score
          weights += score > 0 || !ignoresNothing ? weight : 0
        }
        return weights === 0 ? 0 : round(total / weights)
      },
    }
  }
}
