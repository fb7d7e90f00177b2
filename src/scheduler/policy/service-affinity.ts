import { Service } from '../../api/core/v1/service.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import { queueingHint } from '../framework/cluster-event.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'
import { isLabelSubset } from '../plugins/default-selector.js'

const name = 'ServiceAffinity'

/** Deleting other pods does not move the pods of the service. */
const rejection: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match service affinity"],
  isResolvable: false,
}

type Labels = Readonly<Record<string, string>>

/** The selector of the first service that selects the pod; undefined if there is none. */
export type ServiceSelector = (pod: PodInfo) => Labels | undefined

export function serviceSelector(informers: SharedInformers): ServiceSelector {
  const services = informers.of(Service)
  return (pod) => {
    for (const { spec } of services.by('namespace', pod.namespace))
      if (spec.selector && isLabelSubset(spec.selector, pod.labels)) return spec.selector
    return undefined
  }
}

/**
 * Keeps the pods of a service on nodes with the same values of the given labels: those of the node of its first pod. The node selector of
 * the pod takes precedence.
 */
export function serviceAffinity(labels: readonly string[], selectorOf: ServiceSelector): SchedulerPlugin {
  return {
    name,
    preFilter(pod, snapshot) {
      const { nodeSelector = {} } = pod.pod.spec
      const own = pickLabels(labels, nodeSelector)
      const isComplete = Object.keys(own).length === labels.length
      const nodeLabels = isComplete || !selectorOf(pod) ? undefined : labelsOfFirstNode(pod, snapshot)
      const wanted = { ...(nodeLabels && pickLabels(labels, nodeLabels)), ...own }
      return { filter: (node) => (isLabelSubset(wanted, node.labels) ? undefined : rejection) }
    },
    queueingHints: [queueingHint('Node', ['added', 'labels']), queueingHint('AssignedPod', ['deleted', 'pod labels'])],
  }
}

function pickLabels(names: readonly string[], labels: Labels): Labels {
  return Object.fromEntries(names.flatMap((each) => (Object.hasOwn(labels, each) ? [[each, labels[each]!]] : [])))
}

/** The labels of the first node with a pod that has all labels of this one. */
function labelsOfFirstNode({ namespace, labels }: PodInfo, { nodes }: ClusterSnapshot): Labels | undefined {
  const isSimilar = (other: PodInfo) => other.namespace === namespace && isLabelSubset(labels, other.labels)
  return nodes.find(({ pods }) => pods.some(isSimilar))?.labels
}

/** Spreads the pods of a service over the values of a label. Nodes without the label score lowest. */
export function serviceAntiAffinity(plugin: string, label: string, selectorOf: ServiceSelector): SchedulerPlugin {
  return {
    name: plugin,
    preScore(pod, _, nodes) {
      const selector = selectorOf(pod)
      const counts = new Map<string, number>()
      let total = 0
      for (const node of nodes) {
        const count = selector ? countServicePods(node, pod.namespace, selector) : 0
        total += count
        const value = node.labels[label]
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + count)
      }
      return {
        score({ labels }) {
          const value = labels[label]
          if (value === undefined) return 0
          return total === 0 ? maxNodeScore : Math.trunc(maxNodeScore * ((total - counts.get(value)!) / total))
        },
      }
    },
  }
}

/** Pods that are being deleted do not count. */
function countServicePods({ pods }: NodeInfo, namespace: string, selector: Labels): number {
  let count = 0
  for (const pod of pods)
    if (pod.namespace === namespace && isLabelSubset(selector, pod.labels) && !pod.pod.metadata.deletionTimestamp)
      count++
  return count
}
