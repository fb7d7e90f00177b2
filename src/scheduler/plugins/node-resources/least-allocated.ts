import type { PodInfo } from '../../cache/pod-info.js'
import { highestScore, type PodScorer } from '../../framework/plugin.js'
import { type ResourceWeight, usualResources } from './resource-weights.js'
import { scorerBy } from './scoring-strategy.js'

/** The emptier a node would be left, the better. */
export function leastAllocated(resources: readonly ResourceWeight[] = usualResources): (pod: PodInfo) => PodScorer {
  return scorerBy({ resources, worth: shareLeft, round: Math.floor })
}

function shareLeft(used: number, capacity: number): number {
  return used > capacity ? 0 : Math.floor(((capacity - used) * highestScore) / capacity)
}
