import type { LabelSelector } from '../../api/selectors/label-selector.js'
import type { NodeInfo } from '../cache/node-info.js'
import { nodeZone } from '../cache/zones.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'
import type { DefaultSelector } from '../plugins/default-selector.js'

/** So much of the score is that of the zone, where there are zones. Upstream's. */
const zoneShare = 2 / 3
const noZone = nodeZone({ labels: {} })

/** Pods of a service or of a set are spread over nodes, and more so over zones. Pods that say themselves how are left alone. */
export function selectorSpread(selectorOf: DefaultSelector): SchedulerPlugin {
  return {
    name: 'SelectorSpread',
    preScore(pod, _, nodes) {
      const selector = pod.pod.spec.topologySpreadConstraints?.length ? undefined : selectorOf(pod)
      if (!selector) return undefined
      return { score: (node) => countOn(node, pod.namespace, selector), normalize: (scores) => spread(scores, nodes) }
    },
  }
}

function countOn({ pods }: NodeInfo, namespace: string, selector: LabelSelector): number {
  let count = 0
  for (const pod of pods)
    if (pod.namespace === namespace && selector.matches(pod.labels) && !pod.pod.metadata.deletionTimestamp) count++
  return count
}

/** In place: of how many pods there are to how good that is. */
function spread(counts: Float64Array, nodes: readonly NodeInfo[]): void {
  const byZone = new Map<string, number>()
  for (const [k, node] of nodes.entries()) {
    const zone = nodeZone(node)
    if (zone !== noZone) byZone.set(zone, (byZone.get(zone) ?? 0) + counts[k]!)
  }
  const most = counts.reduce((left, right) => Math.max(left, right), 0)
  const mostInZone = Math.max(0, ...byZone.values())
  for (const [k, node] of nodes.entries()) {
    const own = shareLeft(counts[k]!, most)
    const inZone = byZone.get(nodeZone(node))
    counts[k] = Math.trunc(
      inZone === undefined ? own : own * (1 - zoneShare) + shareLeft(inZone, mostInZone) * zoneShare,
    )
  }
}

function shareLeft(count: number, most: number): number {
  return most === 0 ? maxNodeScore : maxNodeScore * ((most - count) / most)
}
