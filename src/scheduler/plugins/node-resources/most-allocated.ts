import type { PodInfo } from '../../cache/pod-info.js'
import { maxNodeScore, type PodScorer } from '../../framework/plugin.js'
import { defaultResources, type ResourceWeight } from './resource-weights.js'
import { strategyScorer } from './scoring-strategy.js'

/** The fuller a node would be, the better: others are left empty, and can be done without. */
export function mostAllocated(resources: readonly ResourceWeight[] = defaultResources): (pod: PodInfo) => PodScorer {
  return strategyScorer({ resources, worth: shareUsed, round: Math.floor })
}

function shareUsed(used: number, capacity: number): number {
  return used > capacity ? maxNodeScore : Math.floor((used * maxNodeScore) / capacity)
}
