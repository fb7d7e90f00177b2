import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { MaybePromise } from '../../base/maybe-promise.js'
import type { Random } from '../../base/random.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import type { SchedulingDecision } from '../cycle/decision.js'
import type { Extender } from '../extenders/extender.js'
import type { QueuedPod } from '../queue/queued-pod.js'
import type { QueueingHint } from './cluster-event.js'
import type { PluginRejection } from './rejection.js'

/**
 * One rule of the scheduler. Each method is one of upstream's extension points; a plugin has those that it declares (`declaration.ts`).
 * What upstream keeps in the cycle state, from PreFilter to Filter and from PreScore to Score, is here in the object that `preFilter` or
 * `preScore` returns: it belongs to one pod and lives as long as the decision. Plugins themselves remember nothing of a pod.
 */
export interface SchedulerPlugin {
  /** Upstream's name, as configurations and diagnoses have it. */
  readonly name: string
  /** Orders the queue: negative if `one` is scheduled first, 0 if the plugin does not care. */
  queueSort?(one: QueuedPod, other: QueuedPod): number
  /** Rejects a pod that must not be scheduled yet. It waits until an event can help it. */
  preEnqueue?(pod: PodInfo): PluginRejection | undefined
  /** The filter for one pod. `undefined` if the plugin does not filter this pod; a rejection if no node will do. */
  preFilter?(pod: PodInfo, snapshot: ClusterSnapshot): PodFilter | PluginRejection | undefined
  /** Called when no node passed the filters. A promise only if an extender has to be called. */
  postFilter?(context: PostFilterContext): MaybePromise<PostFilterResult>
  /** The scorer for one pod, over the nodes that passed all filters. `undefined` if the plugin does not score this pod. */
  preScore?(pod: PodInfo, snapshot: ClusterSnapshot, nodes: readonly NodeInfo[]): PodScorer | undefined
  /** Binds the pod to the node. Rejects if it cannot. */
  bind?(pod: Pod, nodeName: string, client: Client): Promise<void>
  /** Which events can make a pod schedulable that this plugin rejected. Left out: any event. */
  readonly queueingHints?: readonly QueueingHint[]
}

/** Upstream's Filter, for one pod. */
export interface PodFilter {
  /** Tells a filter from a rejection, which has reasons. */
  readonly reasons?: undefined
  /** Names of the only nodes that can pass. All nodes can if it is left out. */
  readonly nodes?: ReadonlySet<string>
  /** Rejects the node, or returns `undefined`. Called for every node: must not allocate for a node that passes. */
  filter(node: NodeInfo): PluginRejection | undefined
  /**
   * A copy that follows pods that are added and removed, for dry runs: upstream's PreFilterExtensions. A filter that looks only at the
   * node that it is given leaves it out.
   */
  adjustable?(): AdjustableFilter
}

export interface AdjustableFilter extends PodFilter {
  /** `node` already has the pod. */
  addPod(pod: PodInfo, node: NodeInfo): void
  /** `node` no longer has the pod. */
  removePod(pod: PodInfo, node: NodeInfo): void
}

/** Upstream's Score and NormalizeScore, for one pod. */
export interface PodScorer {
  /** Higher is better. Between 0 and `maxNodeScore`, unless `normalize` brings it there. Called for every node: must not allocate. */
  score(node: NodeInfo): number
  /** Brings all scores to whole numbers from 0 to `maxNodeScore`, in place. `scores[i]` belongs to `nodes[i]`. */
  normalize?(scores: Float64Array, nodes: readonly NodeInfo[]): void
}

export const maxNodeScore = 100

export function isRejection(result: PodFilter | PluginRejection): result is PluginRejection {
  return result.reasons !== undefined
}

/** A decision without a node, and what it was made from. */
export interface PostFilterContext {
  readonly decision: SchedulingDecision
  readonly snapshot: ClusterSnapshot
  readonly nominated: NominatedPods
  /** The filters of the cycle, in order. Empty if a plugin rejected the pod in `preFilter`. */
  readonly filters: readonly PodFilter[]
  readonly random: Random
}

export interface PostFilterResult {
  /** Appended to the message of the PodScheduled condition: `preemption: 0/2 nodes are available: …`. May be empty. */
  readonly message: string
  /** The node on which room is made for the pod; '' removes an earlier nomination; `undefined` keeps it. */
  readonly nominatedNode?: string
  /** Makes the room, in the background. The pod is not scheduled again before it has ended. */
  readonly execute?: (dependencies: PostFilterDependencies) => Promise<void>
}

export interface PostFilterDependencies {
  readonly client: Client
  readonly events: EventRecorder
  readonly environment: Environment
}

export interface SchedulerPluginDependencies {
  /** Objects other than nodes and pods: services, namespaces … They do not change within one decision. */
  readonly informers: SharedInformers
  /** The name of the profile, as pods name it. */
  readonly schedulerName: string
  readonly extenders: readonly Extender[]
}

/** Pods for which room was made on a node, and which are not bound yet. Pods of lower priority must not take that room. */
export interface NominatedPods {
  onNode(nodeName: string): readonly PodInfo[]
}

export const noNominatedPods: NominatedPods = { onNode: () => [] }
