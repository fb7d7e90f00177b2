import { highestScore, type PodScorer } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'
import { capacityOf, type ResourceWeight, usedWith } from './least-allocated.js'
import { countedFor, usualResources } from './resource-weights.js'

/** The fuller a node would be, the better: others are left empty, and can be done without. */
export function mostAllocated(resources: readonly ResourceWeight[] = usualResources): (pod: PodInfo) => PodScorer {
  return (pod) => {
    const counted = countedFor(pod, resources)
    return {
      score(node) {
        let total = 0
        let weights = 0
        for (let i = 0; i < counted.length; i++) {
          const { name, weight } = counted[i]!
          const capacity = capacityOf(name, node)
          if (capacity === 0) continue
          const used = Math.min(usedWith(name, node, pod), capacity)
          total += weight * Math.floor((used * highestScore) / capacity)
          weights += weight
        }
        return weights === 0 ? 0 : Math.floor(total / weights)
      },
    }
  }
}
