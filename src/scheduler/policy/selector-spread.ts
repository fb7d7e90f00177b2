import type { LabelSelector } from '../../api/selectors/label-selector.js'
import type { NodeInfo } from '../cache/node-info.js'
import { nodeZone } from '../cache/zones.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'
import type { DefaultSelector } from '../plugins/default-selector.js'

/** The part of the score that belongs to the zone, if the node has one. Upstream's. */
const zoneWeight = 2 / 3
const noZone = nodeZone({ labels: {} })

/** Spreads the pods of a service or controller over nodes and, with more weight, over zones. Pods with spread constraints are skipped. */
export function selectorSpread(selectorOf: DefaultSelector): SchedulerPlugin {
  return {
    name: 'SelectorSpread',
    preScore(pod, _, nodes) {
      const selector = pod.pod.spec.topologySpreadConstraints?.length ? undefined : selectorOf(pod)
      if (!selector) return undefined
      return {
        score: (node) => countSelectedPods(node, pod.namespace, selector),
        normalize: (counts) => normalizeCounts(counts, nodes),
      }
    },
  }
}

function countSelectedPods({ pods }: NodeInfo, namespace: string, selector: LabelSelector): number {
  let count = 0
  for (const pod of pods)
    if (pod.namespace === namespace && selector.matches(pod.labels) && !pod.pod.metadata.deletionTimestamp) count++
  return count
}

/** Turns numbers of pods into scores, in place. */
function normalizeCounts(counts: Float64Array, nodes: readonly NodeInfo[]): void {
  const byZone = new Map<string, number>()
  for (const [k, node] of nodes.entries()) {
    const zone = nodeZone(node)
    if (zone !== noZone) byZone.set(zone, (byZone.get(zone) ?? 0) + counts[k]!)
  }
  const max = counts.reduce((left, right) => Math.max(left, right), 0)
  const maxInZone = Math.max(0, ...byZone.values())
  for (const [k, node] of nodes.entries()) {
    const nodeScore = scoreOf(counts[k]!, max)
    const inZone = byZone.get(nodeZone(node))
    counts[k] = Math.trunc(
      inZone === undefined ? nodeScore : nodeScore * (1 - zoneWeight) + scoreOf(inZone, maxInZone) * zoneWeight,
    )
  }
}

function scoreOf(count: number, max: number): number {
  return max === 0 ? maxNodeScore : maxNodeScore * ((max - count) / max)
}
