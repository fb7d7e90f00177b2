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
import type { QueueingHint } from './cluster-event.js'
import type { NominatedPods } from './nominated-pods.js'
import type { PluginRejection } from './rejection.js'

/**
 * One rule by which nodes are chosen. What a plugin works out for one pod it puts into the filter or scorer that it makes for that pod
 * and that lives as long as the decision: plugins themselves remember nothing.
 */
export interface SchedulerPlugin {
  /** Upstream's, as configurations and diagnoses name it. */
  readonly name: string
  /** Whether a pod may be tried at all; as long as it may not, it waits, and is asked for again when it changes. */
  preEnqueue?(pod: PodInfo): PluginRejection | undefined
  /** For one pod: how nodes are filtered. Undefined if the plugin has nothing to say of that pod; a rejection if no node will do. */
  preFilter?(pod: PodInfo, snapshot: ClusterSnapshot): PodFilter | PluginRejection | undefined
  /** For one pod: how nodes that passed all filters are compared. Undefined if the plugin has nothing to say of that pod. */
  preScore?(pod: PodInfo, snapshot: ClusterSnapshot, nodes: readonly NodeInfo[]): PodScorer | undefined
  /** When no node will do: what could be done about it. A promise if somebody outside has to be asked. */
  postFilter?(failed: PostFilterContext): MaybePromise<PostFilterResult>
  /** What could help a pod that this plugin has refused. Left out: anything. */
  readonly queueingHints?: readonly QueueingHint[]
}

/** What is told apart by `reasons`: a rejection has them, a filter has not. */
export interface PodFilter {
  readonly reasons?: undefined
  /** Only these nodes need to be looked at: any other would be refused. */
  readonly nodes?: ReadonlySet<string>
  /** Undefined if the pod may be on the node. Called for every node: allocates nothing where it finds nothing wrong. */
  filter(node: NodeInfo): PluginRejection | undefined
  /**
   * A filter of its own that can be told of pods that come and go, for those who ask what if. Left out by filters that look at nothing
   * but the node that they are asked about: that one is handed to them as it would be.
   */
  adjustable?(): AdjustableFilter
}

export interface AdjustableFilter extends PodFilter {
  /** `node` is as it would be then, as it is for `removePod`. */
  addPod(pod: PodInfo, node: NodeInfo): void
  removePod(pod: PodInfo, node: NodeInfo): void
}

export interface PodScorer {
  /** Any number, the higher the better; from 0 to 100 if nothing normalizes it. Called for every node: allocates nothing. */
  score(node: NodeInfo): number
  /** Makes whole numbers from 0 to 100 of all of them, in place; `scores[i]` is that of `nodes[i]`. */
  normalize?(scores: Float64Array, nodes: readonly NodeInfo[]): void
}

export const maxNodeScore = 100

export function isRejection(made: PodFilter | PluginRejection): made is PluginRejection {
  return made.reasons !== undefined
}

/** What a rescue may look at. All of it is of the moment at which the decision was made. */
export interface PostFilterContext {
  readonly decision: SchedulingDecision
  readonly snapshot: ClusterSnapshot
  readonly nominated: NominatedPods
  /** The filters that the pod was tried with, in order; none if one refused the pod as such. */
  readonly filters: readonly PodFilter[]
  readonly random: Random
}

/** What could be done so that the pod can be placed next time. */
export interface PostFilterResult {
  /** For people, after the reasons: `preemption: 0/2 nodes are available: …`. Empty if there is nothing to say. */
  readonly message: string
  /** Where the pod is going to be placed when that is done; '' if it no longer is to be. Undefined: what was said before stays. */
  readonly nominatedNode?: string
  /** Does it, in the background: until it has ended, the pod is not tried again. */
  readonly execute?: (means: PostFilterDependencies) => Promise<void>
}

/** With what a rescue acts. */
export interface PostFilterDependencies {
  readonly client: Client
  readonly events: EventRecorder
  readonly environment: Environment
}

/** What plugins are made with. */
export interface SchedulerPluginDependencies {
  /** What is in the cluster besides nodes and pods: services, namespaces … Within one decision it does not change. */
  readonly informers: SharedInformers
  /** The name of the profile that it is made for, as pods ask for it. */
  readonly schedulerName: string
  /** Those outside who have a say in where pods go. */
  readonly extenders: readonly Extender[]
}

/** Makes a plugin. @param args what a configuration says for it, undefined if it says nothing. Throws if it makes no sense. */
export type SchedulerPluginFactory = (parts: SchedulerPluginDependencies, args?: unknown) => SchedulerPlugin
