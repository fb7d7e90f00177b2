import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { declarePlugin } from '../../framework/declaration.js'
import { maxNodeScore } from '../../framework/plugin.js'
import { NodeResourcesBalancedAllocationArgs, ResourceSpec, validateBalancedAllocation } from './arguments.js'
import { countedResources, defaultResources, resourceAmount } from './resource-weights.js'

/** A node scores higher if the same share of each resource is used, so that no resource is left over that no pod can use. */
export const balancedAllocation = declarePlugin({
  name: 'NodeResourcesBalancedAllocation',
  extensionPoints: ['score'],
  defaultProfile: { position: 130, weight: 1 },
  arguments: {
    schema: NodeResourcesBalancedAllocationArgs,
    types: [ResourceSpec],
    validate: validateBalancedAllocation,
  },
  create(_, args: NodeResourcesBalancedAllocationArgs) {
    const resources = (args.resources ?? defaultResources).map(({ name }) => ({ name, weight: 1 }))
    return {
      preScore(pod) {
        // Pods without requests would all go to the one node that happens to be balanced.
        if (!resources.some(({ name }) => resourceAmount(name, pod.requests) > 0)) return undefined
        const names = countedResources(pod, resources).map(({ name }) => name)
        const shares = new Float64Array(names.length) // reused for each node
        return { score: (node) => Math.trunc((1 - deviation(usedShares(names, node, pod, shares))) * maxNodeScore) }
      },
    }
  },
})

/** With the pod on the node. Resources that the node does not have are left out. */
function usedShares(
  names: readonly string[],
  { allocatable, requested }: NodeInfo,
  { requests }: PodInfo,
  shares: Float64Array,
): Float64Array {
  let count = 0
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    const capacity = resourceAmount(name, allocatable)
    if (capacity === 0) continue
    shares[count++] = Math.min((resourceAmount(name, requested) + resourceAmount(name, requests)) / capacity, 1)
  }
  return count === shares.length ? shares : shares.subarray(0, count)
}

/** The standard deviation. For two values it is half of their difference, computed directly because rounding would change the score. */
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
