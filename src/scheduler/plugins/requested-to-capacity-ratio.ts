import { highestScore, type PodScorer } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'
import { capacityOf, type ResourceWeight, usedWith } from './least-allocated.js'
import { countedFor, usualResources } from './resource-weights.js'

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
  resources: readonly ResourceWeight[] = usualResources,
): (pod: PodInfo) => PodScorer {
  const worth = curve(shape)
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
          const used = usedWith(name, node, pod)
          const score = worth(used > capacity ? 100 : Math.trunc((used * 100) / capacity))
          // What is worth nothing has no weight either. Upstream's.
          if (score <= 0) continue
          total += weight * score
          weights += weight
        }
        return weights === 0 ? 0 : Math.round(total / weights)
      },
    }
  }
}

function curve(shape: readonly ShapePoint[]): (utilization: number) => number {
  const points = shape.map(({ utilization, score }) => ({
    utilization,
    score: (score * highestScore) / highestShapeScore,
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
