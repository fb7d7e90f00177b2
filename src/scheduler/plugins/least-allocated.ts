import type { NodeInfo } from '../node-info.js'
import { highestScore, type PodScorer } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'

export interface ResourceWeight {
  readonly name: string
  readonly weight: number
}

const usual: readonly ResourceWeight[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
]

/** The emptier a node would be left, the better. */
export function leastAllocated(resources: readonly ResourceWeight[] = usual): (pod: PodInfo) => PodScorer {
  return (pod) => ({
    score(node) {
      let total = 0
      let weights = 0
      for (let i = 0; i < resources.length; i++) {
        const { name, weight } = resources[i]!
        const capacity = capacityOf(name, node)
        if (capacity === 0) continue
        total += weight * shareLeft(capacity, usedWith(name, node, pod))
        weights += weight
      }
      return weights === 0 ? 0 : Math.floor(total / weights)
    },
  })
}

function shareLeft(capacity: number, used: number): number {
  return used > capacity ? 0 : Math.floor(((capacity - used) * highestScore) / capacity)
}

/** How much of a resource a node has for pods. */
export function capacityOf(name: string, { allocatable }: NodeInfo): number {
  if (name === 'cpu') return allocatable.milliCpu
  if (name === 'memory') return allocatable.memory
  if (name === 'ephemeral-storage') return allocatable.ephemeralStorage
  return allocatable.extended.get(name) ?? 0
}

/** How much of it would be used with the pod. Containers that do not say what they need count a little. */
export function usedWith(name: string, { requested, nonZeroRequested }: NodeInfo, pod: PodInfo): number {
  if (name === 'cpu') return nonZeroRequested.milliCpu + pod.nonZero.milliCpu
  if (name === 'memory') return nonZeroRequested.memory + pod.nonZero.memory
  if (name === 'ephemeral-storage') return requested.ephemeralStorage + pod.requests.ephemeralStorage
  return (requested.extended.get(name) ?? 0) + (pod.requests.extended.get(name) ?? 0)
}
