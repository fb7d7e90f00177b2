import type { PodInfo } from '../../cache/pod-info.js'
import { maxNodeScore, type PodScorer } from '../../framework/plugin.js'
import { defaultResources, type ResourceWeight } from './resource-weights.js'
import { strategyScorer } from './scoring-strategy.js'

/** The emptier a node would be left, the better. */
export function leastAllocated(resources: readonly ResourceWeight[] = defaultResources): (pod: PodInfo) => PodScorer {
  return strategyScorer({ resources, worth: shareLeft, round: Math.floor })
}

function shareLeft(used: number, capacity: number): number {
  return used > capacity ? 0 : Math.floor(((capacity - used) * maxNodeScore) / capacity)
}
