import type { Node } from '../../api/core/v1/node.js'
import { Quantity } from '../../schema/values/quantity.js'
import { zoneLabel } from './pod-endpoint.js'

/** Which part of all processors is in each zone; they add up to 1. */
export type ZoneShares = ReadonlyMap<string, number>

const excluding = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

/** Undefined if it cannot be told, because a node does not say enough, or if there are no two zones to choose from. */
export function zoneShares(nodes: Iterable<Node>): ZoneShares | undefined {
  const processors = new Map<string, number>()
  for (const node of nodes) {
    const labels = node.metadata.labels ?? {}
    if (excluding.some((label) => label in labels) || !isReadyNode(node)) continue
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
