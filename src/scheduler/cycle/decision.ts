import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { Refusal } from '../framework/rejection.js'

/** What was decided about a pod, and why. */
export interface Decision {
  readonly pod: PodInfo
  /** Where it is to be; undefined if nowhere. */
  readonly node: NodeInfo | undefined
  /** How many nodes there were. */
  readonly nodeCount: number
  readonly diagnosis: Diagnosis
  /** Of the nodes that would do; undefined if there was no choice. */
  readonly scores: Scores | undefined
}

/** Why nodes were refused. */
export interface Diagnosis {
  /** Nodes that a filter refused; `refusals[i]` is what was said of `refused[i]`. */
  readonly refused: readonly NodeInfo[]
  readonly refusals: readonly Refusal[]
  /** What is said of nodes that were not looked at, because a filter had named the only ones that could do. */
  readonly elsewhere: Refusal | undefined
  /** A plugin refused the pod as such, before any node was looked at. */
  readonly everywhere: Refusal | undefined
  /** The plugins that said no, to whatever node. What helps one of them may help the pod. */
  readonly plugins: ReadonlySet<string>
}

/** How the nodes that would do compare. */
export interface Scores {
  readonly nodes: readonly NodeInfo[]
  /** Names of the plugins that had something to say. */
  readonly plugins: readonly string[]
  /** Normalized, and multiplied by the weight of the plugin: that of `plugins[i]` for `nodes[k]` is at `i * nodes.length + k`. */
  readonly weighted: Float64Array
  /** The sum over the plugins, of each node. */
  readonly totals: Float64Array
}

/** What was said of a node that is not the chosen one; undefined if it would have done, or was not looked at. */
export function refusalOf({ diagnosis }: Decision, nodeName: string): Refusal | undefined {
  const { refused, refusals, elsewhere, everywhere } = diagnosis
  const place = refused.findIndex(({ name }) => name === nodeName)
  return everywhere ?? refusals[place] ?? elsewhere
}
