import type { Pod } from '../../api/core/v1/pod.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { PluginRejection } from '../framework/rejection.js'

/**
 * A process outside of the scheduler that takes part in its decisions. An extender leaves out the methods that it does not serve. Each
 * method rejects if the extender cannot be reached or its response is invalid.
 */
export interface Extender {
  /** Its URL, by which diagnoses name it. */
  readonly name: string
  /** If it fails, pods are scheduled without it. Otherwise the attempt fails. */
  readonly isIgnorable: boolean
  isInterested(pod: Pod): boolean
  filter?(pod: PodInfo, nodes: readonly NodeInfo[]): Promise<ExtenderFilterResult>
  /** Scores to add to the weighted totals: `[i]` belongs to `nodes[i]`. */
  prioritize?(pod: PodInfo, nodes: readonly NodeInfo[]): Promise<Float64Array>
  /** May drop candidates and change their victims. */
  preempt?(pod: PodInfo, candidates: readonly PreemptionCandidate[]): Promise<readonly PreemptionCandidate[]>
  /** Binds the pod in place of the scheduler. */
  bind?(pod: Pod, nodeName: string): Promise<void>
}

export interface ExtenderFilterResult {
  readonly nodes: readonly NodeInfo[]
  /** `rejections[i]` belongs to `rejectedNodes[i]`. */
  readonly rejectedNodes: readonly NodeInfo[]
  readonly rejections: readonly PluginRejection[]
}

/** A node on which the pod fits if some pods are evicted. */
export interface PreemptionCandidate {
  readonly node: NodeInfo
  /** At least one, the most important first. */
  readonly victims: readonly PodInfo[]
  /** The number of victims whose eviction violates a disruption budget. */
  readonly violations: number
}
