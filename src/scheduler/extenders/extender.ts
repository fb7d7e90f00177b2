import type { Pod } from '../../api/core/v1/pod.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { PluginRejection } from '../framework/rejection.js'

/** Somebody outside who has a say in where pods go. What it has no say in, it leaves out. */
export interface Extender {
  /** Where it is; diagnoses name it so. */
  readonly name: string
  /** If it cannot be asked, pods are placed without it. Otherwise an attempt fails. */
  readonly isIgnorable: boolean
  /** Whether the pod is any of its business. */
  isInterested(pod: Pod): boolean
  /** Which of the nodes will do. Rejects if it cannot be asked, or answers with what makes no sense; so do the others. */
  filter?(pod: PodInfo, nodes: readonly NodeInfo[]): Promise<ExtenderFilterResult>
  /** How they compare: `[i]` is what is added to the total of `nodes[i]`, in the measure of weighted scores. */
  prioritize?(pod: PodInfo, nodes: readonly NodeInfo[]): Promise<Float64Array>
  /** Where room may be made, and who would have to go there: the same as is handed in, or less. */
  preempt?(pod: PodInfo, candidates: readonly PreemptionCandidate[]): Promise<readonly PreemptionCandidate[]>
  /** Says to the API server where the pod goes, in place of the scheduler. */
  bind?(pod: Pod, nodeName: string): Promise<void>
}

export interface ExtenderFilterResult {
  readonly nodes: readonly NodeInfo[]
  /** `rejections[i]` is what was said of `refused[i]`. */
  readonly rejectedNodes: readonly NodeInfo[]
  readonly rejections: readonly PluginRejection[]
}

/** A node on which there would be room if some pods went away. */
export interface PreemptionCandidate {
  readonly node: NodeInfo
  /** Those that would have to go: never none, the most important first. */
  readonly victims: readonly PodInfo[]
  /** How many of them go although a disruption budget speaks against it. */
  readonly violations: number
}
