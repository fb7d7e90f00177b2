import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { PluginRejection } from '../framework/rejection.js'

/** The result of one scheduling cycle, with the reasons for it. */
export interface SchedulingDecision {
  readonly pod: PodInfo
  /** Undefined if no node is feasible. */
  readonly node: NodeInfo | undefined
  /** The number of nodes in the cluster. */
  readonly nodeCount: number
  readonly diagnosis: SchedulingDiagnosis
  /** Of the feasible nodes; undefined if there was only one. */
  readonly scores: NodeScores | undefined
}

/** Why nodes were rejected. */
export interface SchedulingDiagnosis {
  /** The nodes that a filter rejected. `rejections[i]` belongs to `rejectedNodes[i]`. */
  readonly rejectedNodes: readonly NodeInfo[]
  readonly rejections: readonly PluginRejection[]
  /** The rejection of the nodes that were not filtered, because a plugin named the only nodes that can pass. */
  readonly otherNodesRejection: PluginRejection | undefined
  /** A plugin rejected the pod before any node was filtered. */
  readonly preFilterRejection: PluginRejection | undefined
  /** Names of the plugins that rejected anything. An event that helps one of them may help the pod. */
  readonly plugins: ReadonlySet<string>
}

/** The scores of the feasible nodes. */
export interface NodeScores {
  readonly nodes: readonly NodeInfo[]
  /** Names of the plugins that scored. */
  readonly plugins: readonly string[]
  /** Normalized scores times the weight of the plugin. That of `plugins[i]` for `nodes[k]` is at `i * nodes.length + k`. */
  readonly weighted: Float64Array
  /** The sum over the plugins for each node. */
  readonly totals: Float64Array
}

/** Why the node was rejected; undefined if it is feasible or was not filtered. */
export function rejectionOfNode({ diagnosis }: SchedulingDecision, nodeName: string): PluginRejection | undefined {
  const { rejectedNodes, rejections, otherNodesRejection, preFilterRejection } = diagnosis
  const index = rejectedNodes.findIndex(({ name }) => name === nodeName)
  return preFilterRejection ?? rejections[index] ?? otherNodesRejection
}
