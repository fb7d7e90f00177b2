import type { PodInfo } from '../../cache/pod-info.js'
import { maxNodeScore, type PodScorer } from '../../framework/plugin.js'
import { defaultResources, type ResourceWeight } from './resource-weights.js'
import { strategyScorer } from './scoring-strategy.js'

/** How good a node is that is used so much. Between points it changes evenly. */
export interface ShapePoint {
  /** Percent. */
  readonly utilization: number
  /** From 0 to 10. */
  readonly score: number
}

/** Points of a shape are worth so much at most. */
export const highestShapeScore = 10

/** What a node is worth depends on how full it would be, as a curve says. @param shape by rising utilization, one point at least */
export function requestedToCapacityRatio(
  shape: readonly ShapePoint[],
  resources: readonly ResourceWeight[] = defaultResources,
): (pod: PodInfo) => PodScorer {
  const worthOf = curve(shape)
  const worth = (used: number, capacity: number) => worthOf(used > capacity ? 100 : Math.trunc((used * 100) / capacity))
  return strategyScorer({ resources, worth, ignoresNothing: true, round: Math.round })
}

function curve(shape: readonly ShapePoint[]): (utilization: number) => number {
  const points = shape.map(({ utilization, score }) => ({
    utilization,
    score: (score * maxNodeScore) / highestShapeScore,
  }))
  return (utilization) => {
    const next = points.findIndex((point) => utilization <= point.utilization)
    if (next < 0) return points.at(-1)!.score
    const to = points[next]!
    const from = points[next - 1]
    if (!from) return to.score
    const part = (to.score - from.score) * (utilization - from.utilization)
    return from.score + Math.trunc(part / (to.utilization - from.utilization))
  }
}
