import type { PodInfo } from '../../cache/pod-info.js'
import { maxNodeScore, type PodScorer } from '../../framework/plugin.js'
import {
  countedResources,
  defaultResources,
  type ResourceWeight,
  resourceAmount,
  usedWithPod,
} from './resource-weights.js'

/** Scores a node by how much of its resources is used. */
interface ResourceScoring {
  readonly resources: readonly ResourceWeight[]
  /** The score of one resource, from 0 to 100, with the pod on the node. `used` may exceed `capacity`. */
  readonly score: (used: number, capacity: number) => number
  /** A resource with score 0 does not count in the average. */
  readonly skipsZeroScores?: boolean
  readonly round: (average: number) => number
}

/** The emptier the node stays, the higher its score. */
export function leastAllocated(resources: readonly ResourceWeight[] = defaultResources): (pod: PodInfo) => PodScorer {
  const score = (used: number, capacity: number) =>
    used > capacity ? 0 : Math.floor(((capacity - used) * maxNodeScore) / capacity)
  return weightedScorer({ resources, score, round: Math.floor })
}

/** The fuller the node gets, the higher its score: other nodes stay empty and can be removed. */
export function mostAllocated(resources: readonly ResourceWeight[] = defaultResources): (pod: PodInfo) => PodScorer {
  const score = (used: number, capacity: number) =>
    used > capacity ? maxNodeScore : Math.floor((used * maxNodeScore) / capacity)
  return weightedScorer({ resources, score, round: Math.floor })
}

/** A point of a curve over utilization. Between two points the score changes linearly. */
export interface ShapePoint {
  /** Percent. */
  readonly utilization: number
  /** From 0 to `maxShapeScore`. */
  readonly score: number
}

const maxShapeScore = 10

/** The score follows a curve. @param shape by rising utilization, at least one point */
export function requestedToCapacityRatio(
  shape: readonly ShapePoint[],
  resources: readonly ResourceWeight[] = defaultResources,
): (pod: PodInfo) => PodScorer {
  const scoreAt = curve(shape)
  const score = (used: number, capacity: number) => scoreAt(used > capacity ? 100 : Math.trunc((used * 100) / capacity))
  return weightedScorer({ resources, score, skipsZeroScores: true, round: Math.round })
}

function curve(shape: readonly ShapePoint[]): (utilization: number) => number {
  const points = shape.map(({ utilization, score }) => ({ utilization, score: (score * maxNodeScore) / maxShapeScore }))
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

/** The weighted average over the resources that count for the pod and that the node has. */
function weightedScorer(scoring: ResourceScoring): (pod: PodInfo) => PodScorer {
  const { resources, score, skipsZeroScores = false, round } = scoring
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
          const one = score(usedWithPod(name, node, pod), capacity)
          total += weight * one
          weights += one > 0 || !skipsZeroScores ? weight : 0
        }
        return weights === 0 ? 0 : round(total / weights)
      },
    }
  }
}
