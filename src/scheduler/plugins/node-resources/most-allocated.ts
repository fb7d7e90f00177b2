import type { PodInfo } from '../../cache/pod-info.js'
import { highestScore, type PodScorer } from '../../framework/plugin.js'
import { type ResourceWeight, usualResources } from './resource-weights.js'
import { scorerBy } from './scoring-strategy.js'

/** The fuller a node would be, the better: others are left empty, and can be done without. */
export function mostAllocated(resources: readonly ResourceWeight[] = usualResources): (pod: PodInfo) => PodScorer {
  return scorerBy({ resources, worth: shareUsed, round: Math.floor })
}

function shareUsed(used: number, capacity: number): number {
  return used > capacity ? highestScore : Math.floor((used * highestScore) / capacity)
}
