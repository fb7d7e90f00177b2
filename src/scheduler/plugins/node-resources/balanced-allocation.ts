import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { maxNodeScore, type SchedulerPlugin } from '../../framework/plugin.js'
import { countedResources, defaultResources, resourceAmount } from './resource-weights.js'

const name = 'NodeResourcesBalancedAllocation'

export interface BalancedAllocationOptions {
  /** Names of the resources that are to be used alike. */
  readonly resources?: readonly string[]
}

/** A node is better if it is used evenly: of each resource the same share, so that nothing is left over that nobody can use. */
export function balancedAllocation(options: BalancedAllocationOptions = {}): SchedulerPlugin {
  const resources = options.resources?.map((each) => ({ name: each, weight: 1 })) ?? defaultResources
  return {
    name,
    preScore(pod) {
      // Pods that ask for nothing would all go to the one node that is even by chance.
      if (!resources.some((resource) => resourceAmount(resource.name, pod.requests) > 0)) return undefined
      const names = countedResources(pod, resources).map((resource) => resource.name)
      const shares = new Float64Array(names.length) // filled anew for each node
      return { score: (node) => Math.trunc((1 - deviation(sharesInUse(names, node, pod, shares))) * maxNodeScore) }
    },
  }
}

/** Once the pod is there. What the node does not have is left out. */
function sharesInUse(
  names: readonly string[],
  { allocatable, requested }: NodeInfo,
  { requests }: PodInfo,
  shares: Float64Array,
): Float64Array {
  let count = 0
  for (let i = 0; i < names.length; i++) {
    const resource = names[i]!
    const capacity = resourceAmount(resource, allocatable)
    if (capacity === 0) continue
    shares[count++] = Math.min((resourceAmount(resource, requested) + resourceAmount(resource, requests)) / capacity, 1)
  }
  return count === shares.length ? shares : shares.subarray(0, count)
}

/** The standard deviation. That of two is half of their difference, and must not suffer from rounding. */
function deviation(shares: Float64Array): number {
  const { length } = shares
  if (length < 2) return 0
  if (length === 2) return Math.abs((shares[0]! - shares[1]!) / 2)
  let sum = 0
  for (let i = 0; i < length; i++) sum += shares[i]!
  const mean = sum / length
  let squares = 0
  for (let i = 0; i < length; i++) squares += (shares[i]! - mean) * (shares[i]! - mean)
  return Math.sqrt(squares / length)
}
