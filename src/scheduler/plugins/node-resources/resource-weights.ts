import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ComputeResources } from '../../cache/resources.js'

/** How much a resource counts in a score. */
export interface ResourceWeight {
  readonly name: string
  readonly weight: number
}

export const defaultResources: readonly ResourceWeight[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
]

const alwaysCounted: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

/** The resources that count for this pod: those that it requests, and those that every pod uses. */
export function countedResources(
  { requests }: PodInfo,
  resources: readonly ResourceWeight[],
): readonly ResourceWeight[] {
  return resources.filter(({ name }) => alwaysCounted.has(name) || resourceAmount(name, requests) > 0)
}

export function resourceAmount(name: string, resources: ComputeResources): number {
  if (name === 'cpu') return resources.milliCpu
  if (name === 'memory') return resources.memory
  if (name === 'ephemeral-storage') return resources.ephemeralStorage
  return resources.extended.get(name) ?? 0
}

/** How much of the resource is used once the pod is on the node. Containers without requests count with the defaults of `pod-requests.ts`. */
export function usedWithPod(name: string, { requested, nonZeroRequested }: NodeInfo, pod: PodInfo): number {
  if (name === 'cpu') return nonZeroRequested.milliCpu + pod.nonZero.milliCpu
  if (name === 'memory') return nonZeroRequested.memory + pod.nonZero.memory
  return resourceAmount(name, requested) + resourceAmount(name, pod.requests)
}
