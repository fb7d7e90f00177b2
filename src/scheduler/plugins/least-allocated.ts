import { highestScore, type PodScorer } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'
import { amountOf, countedFor, type ResourceWeight, usedWith, usualResources } from './resource-weights.js'

/** The emptier a node would be left, the better. */
export function leastAllocated(resources: readonly ResourceWeight[] = usualResources): (pod: PodInfo) => PodScorer {
  return (pod) => {
    const counted = countedFor(pod, resources)
    return {
      score(node) {
        let total = 0
        let weights = 0
        for (let i = 0; i < counted.length; i++) {
          const { name, weight } = counted[i]!
          const capacity = amountOf(name, node.allocatable)
          if (capacity === 0) continue
          total += weight * shareLeft(capacity, usedWith(name, node, pod))
          weights += weight
        }
        return weights === 0 ? 0 : Math.floor(total / weights)
      },
    }
  }
}

function shareLeft(capacity: number, used: number): number {
  return used > capacity ? 0 : Math.floor(((capacity - used) * highestScore) / capacity)
}
