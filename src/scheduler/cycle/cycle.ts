import type { Random } from '../../base/random.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { Snapshot } from '../cache/snapshot.js'
import type { NominatedPods } from '../framework/nominated-pods.js'
import type { PodFilter } from '../framework/plugin.js'
import type { Profile } from '../framework/profile.js'
import type { Refusal } from '../framework/rejection.js'
import type { Decision, Diagnosis, Scores } from './decision.js'
import { type FilterSet, filtersFor, refusalBeside } from './filtering.js'
import { best, scored } from './scoring.js'
import { nodesToFind } from './search-size.js'

/** All that a decision depends on besides the pod. */
export interface Circumstances {
  readonly profile: Profile
  readonly snapshot: Snapshot
  readonly nominated: NominatedPods
  /** The place of the node that is looked at first. */
  readonly start: number
  readonly random: Random
  /** The first node that would do is not enough, even if the profile does not compare them. */
  readonly needsChoice?: boolean
}

export interface Trial {
  readonly decision: Decision
  /** Those that the pod was tried with. */
  readonly filters: readonly PodFilter[]
  /** Where the next decision begins. */
  readonly next: number
}

/** Nodes that would do, before they are compared. */
export interface Found {
  readonly feasible: readonly NodeInfo[]
  readonly diagnosis: Diagnosis
  readonly filters: readonly PodFilter[]
  readonly next: number
}

/** Chooses a node for the pod. It changes nothing and asks nobody: the same circumstances give the same decision. */
export function decide(pod: PodInfo, circumstances: Circumstances): Trial {
  const found = findNodes(pod, circumstances)
  const { feasible, diagnosis, filters, next } = found
  const scores = scoresOf(pod, feasible, circumstances)
  const node = scores ? best(scores, circumstances.random) : feasible[0]
  const decision = { pod, node, nodeCount: circumstances.snapshot.size, diagnosis, scores }
  return { decision, filters, next }
}

/** @param anywhere also looks elsewhere if room is kept for the pod on a node that would do */
export function findNodes(pod: PodInfo, circumstances: Circumstances, { anywhere = false } = {}): Found {
  const { profile, snapshot, start } = circumstances
  const set = filtersFor(pod, profile.filters, snapshot)
  if (set.refusal) return { feasible: [], diagnosis: nowhere(set), filters: [], next: start }
  const search = new Search(pod, set, circumstances)
  const feasible = (anywhere ? undefined : search.atNominatedNode()) ?? search.atAllNodes()
  return { feasible, diagnosis: search.diagnosis(), filters: set.filters, next: search.next(feasible.length) }
}

/** Undefined where there is nothing to compare. */
export function scoresOf(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  { profile, snapshot }: Circumstances,
): Scores | undefined {
  return nodes.length < 2 ? undefined : scored(pod, profile.scores, snapshot, nodes)
}

function nowhere({ refusal, narrowedBy }: FilterSet): Diagnosis {
  const plugins = new Set([...narrowedBy, refusal!.plugin])
  return { refused: [], refusals: [], elsewhere: undefined, everywhere: refusal, plugins }
}

/** One look at the nodes, and what is said of those that will not do. */
class Search {
  readonly #pod: PodInfo
  readonly #set: FilterSet
  readonly #circumstances: Circumstances
  readonly #refused: NodeInfo[] = []
  readonly #refusals: Refusal[] = []
  readonly #plugins: Set<string>

  constructor(pod: PodInfo, set: FilterSet, circumstances: Circumstances) {
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
    return refusalBeside(this.#set.filters, this.#pod, node, nominated) ? undefined : [node]
  }

  atAllNodes(): readonly NodeInfo[] {
    const { snapshot, profile, nominated, start, needsChoice = false } = this.#circumstances
    const { filters, nodes: names } = this.#set
    const nodes = names ? [...names].flatMap((name) => snapshot.get(name) ?? []) : snapshot.nodes
    const isOneEnough = profile.scores.length === 0 && !needsChoice
    const enough = isOneEnough ? 1 : nodesToFind(profile.percentageOfNodesToScore, nodes.length)
    const feasible: NodeInfo[] = []
    for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
      const node = nodes[(start + i) % nodes.length]!
      const refusal = refusalBeside(filters, this.#pod, node, nominated)
      if (refusal) this.#note(node, refusal)
      else feasible.push(node)
    }
    return feasible
  }

  #note(node: NodeInfo, refusal: Refusal): void {
    this.#refused.push(node)
    this.#refusals.push(refusal)
    this.#plugins.add(refusal.plugin)
  }

  diagnosis(): Diagnosis {
    const { narrowedBy } = this.#set
    const elsewhere = narrowedBy.length === 0 ? undefined : narrowed(narrowedBy)
    const [refused, refusals, plugins] = [this.#refused, this.#refusals, this.#plugins]
    return { refused, refusals, elsewhere, everywhere: undefined, plugins }
  }

  next(feasible: number): number {
    const { start, snapshot } = this.#circumstances
    return snapshot.size === 0 ? 0 : (start + feasible + this.#refused.length) % snapshot.size
  }
}

function narrowed(plugins: readonly string[]): Refusal {
  const names = [...plugins].sort().join(' ')
  return { plugin: plugins[0]!, reasons: [`node(s) didn't satisfy plugin(s) [${names}]`], isResolvable: false }
}
