import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import { queueingHint } from '../framework/cluster-event.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'
import { countServicePods, isLabelSubset, type ServiceSelector } from './services.js'

const name = 'ServiceAffinity'

/** As long as the others of the service are where they are, no pod that goes away changes anything. */
const rejection: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match service affinity"],
  isResolvable: false,
}

type Labels = Readonly<Record<string, string>>

/**
 * Pods of a service stay together: on nodes that have the same values of some labels, those of the node where the first of them is. What the
 * pod says itself of these labels comes first.
 */
export function serviceAffinity(labels: readonly string[], selectorOf: ServiceSelector): SchedulerPlugin {
  return {
    name,
    preFilter(pod, snapshot) {
      const { nodeSelector = {} } = pod.pod.spec
      const own = chosen(labels, nodeSelector)
      const isComplete = Object.keys(own).length === labels.length
      const first = isComplete || !selectorOf(pod) ? undefined : nodeOfLike(pod, snapshot)
      const wanted = { ...(first && chosen(labels, first)), ...own }
      return { filter: (node) => (isLabelSubset(wanted, node.labels) ? undefined : rejection) }
    },
    queueingHints: [queueingHint('Node', ['added', 'labels']), queueingHint('AssignedPod', ['deleted', 'pod labels'])],
  }
}

function chosen(names: readonly string[], labels: Labels): Labels {
  return Object.fromEntries(names.flatMap((each) => (Object.hasOwn(labels, each) ? [[each, labels[each]!]] : [])))
}

/** The labels of the first node that has a pod with all the labels of this one. */
function nodeOfLike({ namespace, labels }: PodInfo, { nodes }: ClusterSnapshot): Labels | undefined {
  const isLike = (other: PodInfo) => other.namespace === namespace && isLabelSubset(labels, other.labels)
  return nodes.find(({ pods }) => pods.some(isLike))?.labels
}

/** Pods of a service are spread over the values of a label. Nodes without it are the worst. */
export function serviceAntiAffinity(plugin: string, label: string, selectorOf: ServiceSelector): SchedulerPlugin {
  return {
    name: plugin,
    preScore(pod, _, nodes) {
      const selector = selectorOf(pod)
      const counts = new Map<string, number>()
      let all = 0
      for (const node of nodes) {
        const count = selector ? countServicePods(node, pod.namespace, selector) : 0
        all += count
        const value = node.labels[label]
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + count)
      }
      return {
        score({ labels }) {
          const value = labels[label]
          if (value === undefined) return 0
          return all === 0 ? maxNodeScore : Math.trunc(maxNodeScore * ((all - counts.get(value)!) / all))
        },
      }
    },
  }
}
