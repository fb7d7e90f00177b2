import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import {
  type AdjustableFilter,
  isRejection,
  type NominatedPods,
  type PodFilter,
  type SchedulerPlugin,
} from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

/** The results of PreFilter. */
export interface FilterSet {
  /** In the order of the profile, without plugins that do not filter this pod. */
  readonly filters: readonly PodFilter[]
  /** The only nodes that can pass; undefined if all can. */
  readonly nodes: ReadonlySet<string> | undefined
  /** Names of the plugins that restricted the nodes. */
  readonly narrowedBy: readonly string[]
  /** No node can pass. */
  readonly rejection: PluginRejection | undefined
}

/** Runs PreFilter of all plugins, until one rejects the pod or no node is left. */
export function runPreFilterPlugins(
  pod: PodInfo,
  plugins: readonly SchedulerPlugin[],
  snapshot: ClusterSnapshot,
): FilterSet {
  const filters: PodFilter[] = []
  const narrowedBy: string[] = []
  let nodes: ReadonlySet<string> | undefined
  for (const plugin of plugins) {
    const result = plugin.preFilter?.(pod, snapshot)
    if (!result) continue
    if (isRejection(result)) return { filters: [], nodes, narrowedBy, rejection: result }
    filters.push(result)
    if (!result.nodes) continue
    narrowedBy.push(plugin.name)
    nodes = nodes ? intersection(nodes, result.nodes) : result.nodes
    if (nodes.size === 0) return { filters: [], nodes, narrowedBy, rejection: noNodeLeft(narrowedBy) }
  }
  return { filters, nodes, narrowedBy, rejection: undefined }
}

function intersection(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((name) => other.has(name)))
}

function noNodeLeft(plugins: readonly string[]): PluginRejection {
  const [first = ''] = plugins
  const names = [...plugins].sort().join(' ')
  const reason =
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${first}`
      : `node(s) didn't satisfy plugin(s) [${names}] simultaneously`
  return { plugin: first, reasons: [reason], isResolvable: false }
}

/** The rejection of the first filter that the node does not pass. */
export function runFilters(filters: readonly PodFilter[], node: NodeInfo): PluginRejection | undefined {
  for (let i = 0; i < filters.length; i++) {
    const rejection = filters[i]!.filter(node)
    if (rejection) return rejection
  }
  return undefined
}

/**
 * As `runFilters`, with the pods of equal or higher priority that are nominated to the node. The pod must fit with them and without them:
 * they may never come, and the pod may need one of them for its affinity.
 */
export function runFiltersWithNominatedPods(
  filters: readonly PodFilter[],
  pod: PodInfo,
  node: NodeInfo,
  nominated: NominatedPods,
): PluginRejection | undefined {
  const pods = nominated.onNode(node.name)
  if (pods.length === 0) return runFilters(filters, node)
  const relevant = pods.filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority)
  if (relevant.length === 0) return runFilters(filters, node)
  return runFiltersWithPods(filters, relevant, node) ?? runFilters(filters, node)
}

function runFiltersWithPods(
  filters: readonly PodFilter[],
  pods: readonly PodInfo[],
  node: NodeInfo,
): PluginRejection | undefined {
  const adjusted = filters.map((filter) => filter.adjustable?.() ?? filter)
  let nodeWithPods = node
  for (const pod of pods) {
    nodeWithPods = nodeWithPods.withPod(pod)
    for (const filter of adjusted) if (isAdjustable(filter)) filter.addPod(pod, nodeWithPods)
  }
  return runFilters(adjusted, nodeWithPods)
}

export function isAdjustable(filter: PodFilter): filter is AdjustableFilter {
  return 'addPod' in filter
}
