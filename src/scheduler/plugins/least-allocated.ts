import { highestScore, type PodScorer } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'
import { scorerBy } from './resource-strategy.js'
import { type ResourceWeight, usualResources } from './resource-weights.js'

/** The emptier a node would be left, the better. */
export function leastAllocated(resources: readonly ResourceWeight[] = usualResources): (pod: PodInfo) => PodScorer {
  return scorerBy({ resources, worth: shareLeft, round: Math.floor })
}

function shareLeft(used: number, capacity: number): number {
  return used > capacity ? 0 : Math.floor(((capacity - used) * highestScore) / capacity)
}
