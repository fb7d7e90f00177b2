import type { PodInfo } from '../pod-info.js'
import type { Resources } from '../resources.js'
import type { ResourceWeight } from './least-allocated.js'

export const usualResources: readonly ResourceWeight[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
]

const always: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

/** What the pod does not want does not count, except for what every pod uses. */
export function countedFor({ requests }: PodInfo, resources: readonly ResourceWeight[]): readonly ResourceWeight[] {
  return resources.filter(({ name }) => always.has(name) || amountOf(name, requests) > 0)
}

export function amountOf(name: string, resources: Resources): number {
  if (name === 'cpu') return resources.milliCpu
  if (name === 'memory') return resources.memory
  if (name === 'ephemeral-storage') return resources.ephemeralStorage
  return resources.extended.get(name) ?? 0
}
