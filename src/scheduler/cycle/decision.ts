import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { PluginRejection } from '../framework/rejection.js'

/** What was decided about a pod, and why. */
export interface SchedulingDecision {
  readonly pod: PodInfo
  /** Where it is to be; undefined if nowhere. */
  readonly node: NodeInfo | undefined
  /** How many nodes there were. */
  readonly nodeCount: number
  readonly diagnosis: SchedulingDiagnosis
  /** Of the nodes that would do; undefined if there was no choice. */
  readonly scores: NodeScores | undefined
}

/** Why nodes were refused. */
export interface SchedulingDiagnosis {
  /** Nodes that a filter refused; `rejections[i]` is what was said of `refused[i]`. */
  readonly rejectedNodes: readonly NodeInfo[]
  readonly rejections: readonly PluginRejection[]
  /** What is said of nodes that were not looked at, because a filter had named the only ones that could do. */
  readonly otherNodesRejection: PluginRejection | undefined
  /** A plugin refused the pod as such, before any node was looked at. */
  readonly preFilterRejection: PluginRejection | undefined
  /** The plugins that said no, to whatever node. What helps one of them may help the pod. */
  readonly plugins: ReadonlySet<string>
}

/** How the nodes that would do compare. */
export interface NodeScores {
  readonly nodes: readonly NodeInfo[]
  /** Names of the plugins that had something to say. */
  readonly plugins: readonly string[]
  /** Normalized, and multiplied by the weight of the plugin: that of `plugins[i]` for `nodes[k]` is at `i * nodes.length + k`. */
  readonly weighted: Float64Array
  /** The sum over the plugins, of each node. */
  readonly totals: Float64Array
}

/** What was said of a node that is not the chosen one; undefined if it would have done, or was not looked at. */
export function rejectionOfNode({ diagnosis }: SchedulingDecision, nodeName: string): PluginRejection | undefined {
  const { rejectedNodes, rejections, otherNodesRejection, preFilterRejection } = diagnosis
  const place = rejectedNodes.findIndex(({ name }) => name === nodeName)
  return preFilterRejection ?? rejections[place] ?? otherNodesRejection
}
