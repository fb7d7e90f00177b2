import type { Random } from '../../base/random.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import type { NominatedPods, PodFilter } from '../framework/plugin.js'
import type { SchedulerProfile } from '../framework/profile.js'
import type { PluginRejection } from '../framework/rejection.js'
import type { NodeScores, SchedulingDecision, SchedulingDiagnosis } from './decision.js'
import { type FilterSet, runFiltersWithNominatedPods, runPreFilterPlugins } from './filtering.js'
import { runScorePlugins, selectNode } from './scoring.js'

/** Everything that a decision depends on besides the pod. */
export interface CycleContext {
  readonly profile: SchedulerProfile
  readonly snapshot: ClusterSnapshot
  readonly nominated: NominatedPods
  /** The index of the node that is filtered first. */
  readonly start: number
  readonly random: Random
  /** Finds more than one feasible node even if the profile does not score: extenders filter or score them. */
  readonly needsChoice?: boolean
}

export interface CycleResult {
  readonly decision: SchedulingDecision
  /** The filters that the cycle ran. */
  readonly filters: readonly PodFilter[]
  /** Where the next cycle starts. */
  readonly next: number
}

/** The nodes that passed all filters. */
export interface FeasibleNodes {
  readonly feasible: readonly NodeInfo[]
  readonly diagnosis: SchedulingDiagnosis
  readonly filters: readonly PodFilter[]
  readonly next: number
}

/** Chooses a node for the pod. A pure function: the same context gives the same decision. */
export function decide(pod: PodInfo, context: CycleContext): CycleResult {
  const { feasible, diagnosis, filters, next } = findFeasibleNodes(pod, context)
  const scores = scoreNodes(pod, feasible, context)
  const node = scores ? selectNode(scores, context.random) : feasible[0]
  const decision = { pod, node, nodeCount: context.snapshot.size, diagnosis, scores }
  return { decision, filters, next }
}

/** @param ignoreNomination filters all nodes even if the nominated node of the pod is feasible */
export function findFeasibleNodes(
  pod: PodInfo,
  context: CycleContext,
  { ignoreNomination = false } = {},
): FeasibleNodes {
  const { profile, snapshot, start } = context
  const set = runPreFilterPlugins(pod, profile.filter, snapshot)
  if (set.rejection) return { feasible: [], diagnosis: preFilterDiagnosis(set), filters: [], next: start }
  const search = new NodeSearch(pod, set, context)
  const feasible = (ignoreNomination ? undefined : search.nominatedNode()) ?? search.allNodes()
  return { feasible, diagnosis: search.diagnosis(), filters: set.filters, next: search.next(feasible.length) }
}

/** Undefined if there is no choice. */
export function scoreNodes(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  { profile, snapshot }: CycleContext,
): NodeScores | undefined {
  return nodes.length < 2 ? undefined : runScorePlugins(pod, profile.score, snapshot, nodes)
}

function preFilterDiagnosis({ rejection, narrowedBy }: FilterSet): SchedulingDiagnosis {
  const plugins = new Set([...narrowedBy, rejection!.plugin])
  return {
    rejectedNodes: [],
    rejections: [],
    otherNodesRejection: undefined,
    preFilterRejection: rejection,
    plugins,
  }
}

/** Filters the nodes of one cycle, and keeps the rejections. */
class NodeSearch {
  readonly #pod: PodInfo
  readonly #set: FilterSet
  readonly #context: CycleContext
  readonly #rejectedNodes: NodeInfo[] = []
  readonly #rejections: PluginRejection[] = []
  readonly #plugins: Set<string>

  constructor(pod: PodInfo, set: FilterSet, context: CycleContext) {
    this.#pod = pod
    this.#set = set
    this.#context = context
    this.#plugins = new Set(set.narrowedBy)
  }

  /** The node on which room was made for the pod. If it is feasible, no other node is filtered. */
  nominatedNode(): readonly NodeInfo[] | undefined {
    const { nominatedNodeName } = this.#pod.pod.status ?? {}
    const node = nominatedNodeName ? this.#context.snapshot.get(nominatedNodeName) : undefined
    if (!node || this.#set.nodes?.has(node.name) === false) return undefined
    return this.#rejection(node) ? undefined : [node]
  }

  allNodes(): readonly NodeInfo[] {
    const { snapshot, profile, start, needsChoice = false } = this.#context
    const { nodes: names } = this.#set
    const nodes = names ? [...names].flatMap((name) => snapshot.get(name) ?? []) : snapshot.nodes
    const isOneEnough = profile.score.length === 0 && !needsChoice
    const enough = isOneEnough ? 1 : nodesToFind(profile.percentageOfNodesToScore, nodes.length)
    const feasible: NodeInfo[] = []
    for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
      const node = nodes[(start + i) % nodes.length]!
      const rejection = this.#rejection(node)
      if (rejection) this.#reject(node, rejection)
      else feasible.push(node)
    }
    return feasible
  }

  #rejection(node: NodeInfo): PluginRejection | undefined {
    return runFiltersWithNominatedPods(this.#set.filters, this.#pod, node, this.#context.nominated)
  }

  #reject(node: NodeInfo, rejection: PluginRejection): void {
    this.#rejectedNodes.push(node)
    this.#rejections.push(rejection)
    this.#plugins.add(rejection.plugin)
  }

  diagnosis(): SchedulingDiagnosis {
    const { narrowedBy } = this.#set
    return {
      rejectedNodes: this.#rejectedNodes,
      rejections: this.#rejections,
      otherNodesRejection: narrowedBy.length === 0 ? undefined : unlistedNodesRejection(narrowedBy),
      preFilterRejection: undefined,
      plugins: this.#plugins,
    }
  }

  next(feasible: number): number {
    const { start, snapshot } = this.#context
    return snapshot.size === 0 ? 0 : (start + feasible + this.#rejectedNodes.length) % snapshot.size
  }
}

function unlistedNodesRejection(plugins: readonly string[]): PluginRejection {
  const names = [...plugins].sort().join(' ')
  return { plugin: plugins[0]!, reasons: [`node(s) didn't satisfy plugin(s) [${names}]`], isResolvable: false }
}

/** Upstream's: clusters with fewer nodes are searched whole. */
const minFeasibleNodes = 100
const minPercentage = 5

/**
 * How many feasible nodes are enough to choose from. A large cluster is not searched whole. Each cycle starts where the last one ended, so
 * that every node is considered in turn.
 */
function nodesToFind(percentage: number, nodeCount: number): number {
  if (nodeCount < minFeasibleNodes) return nodeCount
  const share = percentage || Math.max(50 - Math.floor(nodeCount / 125), minPercentage)
  return Math.max(Math.floor((nodeCount * share) / 100), minFeasibleNodes)
}
