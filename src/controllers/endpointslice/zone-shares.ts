import type { Node } from '../../api/core/v1/node.js'
import { Quantity } from '../../schema/values/quantity.js'
import { zoneLabel } from './pod-endpoint.js'

/** The share of all CPUs that each zone has; they add up to 1. */
export type ZoneShares = ReadonlyMap<string, number>

const excludedLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

/** Undefined if a node has no zone or CPU capacity, or if there are fewer than two zones. */
export function zoneShares(nodes: Iterable<Node>): ZoneShares | undefined {
  const processors = new Map<string, number>()
  for (const node of nodes) {
    const labels = node.metadata.labels ?? {}
    if (excludedLabels.some((label) => label in labels) || !isReadyNode(node)) continue
    const zone = labels[zoneLabel]
    const millis = Quantity.parse(node.status.allocatable?.cpu ?? '0').milliValue()
    if (!zone || millis === 0) return undefined
    processors.set(zone, (processors.get(zone) ?? 0) + millis)
  }
  if (processors.size < 2) return undefined
  const total = [...processors.values()].reduce((sum, millis) => sum + millis)
  return new Map([...processors].map(([zone, millis]) => [zone, millis / total]))
}

export function isReadyNode({ status }: Node): boolean {
  return status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'
}
