import type { NodeInfo } from './node-info.js'

/** Region and zone of a node, as one text. */
export function nodeZone({ labels }: Pick<NodeInfo, 'labels'>): string {
  const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? ''
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? ''
  return `${region}\0${zone}`
}

/** Takes one node of each zone in turn, so that the first nodes come from all zones. */
export function interleaveZones(nodes: Iterable<NodeInfo>): NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>()
  for (const node of nodes) {
    const zone = zones.get(nodeZone(node))
    if (zone) zone.push(node)
    else zones.set(nodeZone(node), [node])
  }
  if (zones.size < 2) return [...zones.values()].flat()
  const result: NodeInfo[] = []
  const longest = Math.max(...[...zones.values()].map(({ length }) => length))
  for (let i = 0; i < longest; i++)
    for (const zone of zones.values()) {
      const node = zone[i]
      if (node) result.push(node)
    }
  return result
}
