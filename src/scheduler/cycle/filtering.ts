import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import type { NominatedPods } from '../framework/nominated-pods.js'
import { type AdjustableFilter, isRejection, type PodFilter, type SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

/** What the plugins made of a pod, before any node was looked at. */
export interface FilterSet {
  /** In the order of the profile; plugins with nothing to say are left out. */
  readonly filters: readonly PodFilter[]
  /** The only nodes that could do; undefined if all could. */
  readonly nodes: ReadonlySet<string> | undefined
  /** Who named them. */
  readonly narrowedBy: readonly string[]
  /** No node will do. */
  readonly rejection: PluginRejection | undefined
}

/** Asks every plugin, until one refuses the pod as such or no node is left. */
export function runPreFilterPlugins(
  pod: PodInfo,
  plugins: readonly SchedulerPlugin[],
  snapshot: ClusterSnapshot,
): FilterSet {
  const filters: PodFilter[] = []
  const narrowedBy: string[] = []
  let nodes: ReadonlySet<string> | undefined
  for (const plugin of plugins) {
    const made = plugin.preFilter?.(pod, snapshot)
    if (!made) continue
    if (isRejection(made)) return { filters: [], nodes, narrowedBy, rejection: made }
    filters.push(made)
    if (!made.nodes) continue
    narrowedBy.push(plugin.name)
    nodes = nodes ? both(nodes, made.nodes) : made.nodes
    if (nodes.size === 0) return { filters: [], nodes, narrowedBy, rejection: nothingLeft(narrowedBy) }
  }
  return { filters, nodes, narrowedBy, rejection: undefined }
}

function both(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((name) => other.has(name)))
}

function nothingLeft(plugins: readonly string[]): PluginRejection {
  const [first = ''] = plugins
  const names = [...plugins].sort().join(' ')
  const reason =
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${first}`
      : `node(s) didn't satisfy plugin(s) [${names}] simultaneously`
  return { plugin: first, reasons: [reason], isResolvable: false }
}

/** What the first filter says that has anything against the node. */
export function runFilters(filters: readonly PodFilter[], node: NodeInfo): PluginRejection | undefined {
  for (let i = 0; i < filters.length; i++) {
    const rejection = filters[i]!.filter(node)
    if (rejection) return rejection
  }
  return undefined
}

/**
 * The same, where room is kept for pods that are about to come. They may not come after all, so the pod must fit with them, and without
 * them as well: it may be one of them that it wants to be near to.
 */
export function runFiltersWithNominatedPods(
  filters: readonly PodFilter[],
  pod: PodInfo,
  node: NodeInfo,
  nominated: NominatedPods,
): PluginRejection | undefined {
  const coming = nominated.onNode(node.name)
  if (coming.length === 0) return runFilters(filters, node)
  const ahead = coming.filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority)
  if (ahead.length === 0) return runFilters(filters, node)
  return refusalWith(filters, ahead, node) ?? runFilters(filters, node)
}

function refusalWith(
  filters: readonly PodFilter[],
  pods: readonly PodInfo[],
  node: NodeInfo,
): PluginRejection | undefined {
  const adjusted = filters.map((filter) => filter.adjustable?.() ?? filter)
  let later = node
  for (const pod of pods) {
    later = later.withPod(pod)
    for (const filter of adjusted) if (isAdjustable(filter)) filter.addPod(pod, later)
  }
  return runFilters(adjusted, later)
}

function isAdjustable(filter: PodFilter): filter is AdjustableFilter {
  return 'addPod' in filter
}
