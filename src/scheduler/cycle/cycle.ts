import type { Random } from '../../base/random.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import type { NominatedPods } from '../framework/nominated-pods.js'
import type { PodFilter } from '../framework/plugin.js'
import type { SchedulerProfile } from '../framework/profile.js'
import type { PluginRejection } from '../framework/rejection.js'
import type { NodeScores, SchedulingDecision, SchedulingDiagnosis } from './decision.js'
import { type FilterSet, runFiltersWithNominatedPods, runPreFilterPlugins } from './filtering.js'
import { runScorePlugins, selectNode } from './scoring.js'
import { nodesToFind } from './search-size.js'

/** All that a decision depends on besides the pod. */
export interface CycleContext {
  readonly profile: SchedulerProfile
  readonly snapshot: ClusterSnapshot
  readonly nominated: NominatedPods
  /** The place of the node that is looked at first. */
  readonly start: number
  readonly random: Random
  /** The first node that would do is not enough, even if the profile does not compare them. */
  readonly needsChoice?: boolean
}

export interface CycleResult {
  readonly decision: SchedulingDecision
  /** Those that the pod was tried with. */
  readonly filters: readonly PodFilter[]
  /** Where the next decision begins. */
  readonly next: number
}

/** Nodes that would do, before they are compared. */
export interface FeasibleNodes {
  readonly feasible: readonly NodeInfo[]
  readonly diagnosis: SchedulingDiagnosis
  readonly filters: readonly PodFilter[]
  readonly next: number
}

/** Chooses a node for the pod. It changes nothing and asks nobody: the same circumstances give the same decision. */
export function decide(pod: PodInfo, circumstances: CycleContext): CycleResult {
  const found = findFeasibleNodes(pod, circumstances)
  const { feasible, diagnosis, filters, next } = found
  const scores = scoreNodes(pod, feasible, circumstances)
  const node = scores ? selectNode(scores, circumstances.random) : feasible[0]
  const decision = { pod, node, nodeCount: circumstances.snapshot.size, diagnosis, scores }
  return { decision, filters, next }
}

/** @param anywhere also looks elsewhere if room is kept for the pod on a node that would do */
export function findFeasibleNodes(pod: PodInfo, circumstances: CycleContext, { anywhere = false } = {}): FeasibleNodes {
  const { profile, snapshot, start } = circumstances
  const set = runPreFilterPlugins(pod, profile.filter, snapshot)
  if (set.rejection) return { feasible: [], diagnosis: nowhere(set), filters: [], next: start }
  const search = new Search(pod, set, circumstances)
  const feasible = (anywhere ? undefined : search.atNominatedNode()) ?? search.atAllNodes()
  return { feasible, diagnosis: search.diagnosis(), filters: set.filters, next: search.next(feasible.length) }
}

/** Undefined where there is nothing to compare. */
export function scoreNodes(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  { profile, snapshot }: CycleContext,
): NodeScores | undefined {
  return nodes.length < 2 ? undefined : runScorePlugins(pod, profile.score, snapshot, nodes)
}

function nowhere({ rejection, narrowedBy }: FilterSet): SchedulingDiagnosis {
  const plugins = new Set([...narrowedBy, rejection!.plugin])
  return { rejectedNodes: [], rejections: [], otherNodesRejection: undefined, preFilterRejection: rejection, plugins }
}

/** One look at the nodes, and what is said of those that will not do. */
class Search {
  readonly #pod: PodInfo
  readonly #set: FilterSet
  readonly #circumstances: CycleContext
  readonly #rejectedNodes: NodeInfo[] = []
  readonly #rejections: PluginRejection[] = []
  readonly #plugins: Set<string>

  constructor(pod: PodInfo, set: FilterSet, circumstances: CycleContext) {
    this.#pod = pod
    this.#set = set
    this.#circumstances = circumstances
    this.#plugins = new Set(set.narrowedBy)
  }

  /** Room was made for the pod there. If it is still free, nothing else is looked at. */
  atNominatedNode(): readonly NodeInfo[] | undefined {
    const { nominatedNodeName } = this.#pod.pod.status ?? {}
    const node = nominatedNodeName ? this.#circumstances.snapshot.get(nominatedNodeName) : undefined
    if (!node || this.#set.nodes?.has(node.name) === false) return undefined
    const { nominated } = this.#circumstances
    return runFiltersWithNominatedPods(this.#set.filters, this.#pod, node, nominated) ? undefined : [node]
  }

  atAllNodes(): readonly NodeInfo[] {
    const { snapshot, profile, nominated, start, needsChoice = false } = this.#circumstances
    const { filters, nodes: names } = this.#set
    const nodes = names ? [...names].flatMap((name) => snapshot.get(name) ?? []) : snapshot.nodes
    const isOneEnough = profile.score.length === 0 && !needsChoice
    const enough = isOneEnough ? 1 : nodesToFind(profile.percentageOfNodesToScore, nodes.length)
    const feasible: NodeInfo[] = []
    for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
      const node = nodes[(start + i) % nodes.length]!
      const rejection = runFiltersWithNominatedPods(filters, this.#pod, node, nominated)
      if (rejection) this.#reject(node, rejection)
      else feasible.push(node)
    }
    return feasible
  }

  #reject(node: NodeInfo, rejection: PluginRejection): void {
    this.#rejectedNodes.push(node)
    this.#rejections.push(rejection)
    this.#plugins.add(rejection.plugin)
  }

  diagnosis(): SchedulingDiagnosis {
    const { narrowedBy } = this.#set
    const otherNodesRejection = narrowedBy.length === 0 ? undefined : narrowed(narrowedBy)
    const [rejectedNodes, rejections, plugins] = [this.#rejectedNodes, this.#rejections, this.#plugins]
    return { rejectedNodes, rejections, otherNodesRejection, preFilterRejection: undefined, plugins }
  }

  next(feasible: number): number {
    const { start, snapshot } = this.#circumstances
    return snapshot.size === 0 ? 0 : (start + feasible + this.#rejectedNodes.length) % snapshot.size
  }
}

function narrowed(plugins: readonly string[]): PluginRejection {
  const names = [...plugins].sort().join(' ')
  return { plugin: plugins[0]!, reasons: [`node(s) didn't satisfy plugin(s) [${names}]`], isResolvable: false }
}
