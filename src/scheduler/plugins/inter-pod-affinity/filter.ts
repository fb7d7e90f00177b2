import { type AffinityTerm, type AffinityTerms, termMatches } from '../../cache/affinity-terms.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ClusterSnapshot } from '../../cache/snapshot.js'
import type { AdjustableFilter } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'
import { allTermsMatch, type NamespaceLookup, resolvedTermMatches } from './terms.js'
import { TopologyCounts } from './topology-counts.js'

export const name = 'InterPodAffinity'

/** No pod that went away would bring the others nearer. */
const notNear: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match pod affinity rules"],
  isResolvable: false,
}
const tooNear: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match pod anti-affinity rules"],
  isResolvable: true,
}
const unwanted: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
  isResolvable: true,
}

type Labels = Readonly<Record<string, string>>

/** What is asked of a pod again and again. */
interface Subject {
  readonly pod: PodInfo
  /** Those of its namespace. */
  readonly labels: Labels
  readonly required: readonly AffinityTerm[]
  readonly requiredAnti: readonly AffinityTerm[]
  /** Filled while pods are looked at. */
  readonly hostileKeys: Map<AffinityTerms, readonly string[]>
}

/** How many pods there are in each place: those that the pod wants to be near to, away from, and those that do not want it near. */
interface Counts {
  readonly wanted: TopologyCounts
  readonly shunned: TopologyCounts
  readonly hostile: TopologyCounts
}

export class AffinityFilter implements AdjustableFilter {
  readonly #subject: Subject
  readonly #counts: Counts
  /** The pod may be the first of those that want to be together. */
  readonly #isOneOfThem: boolean

  private constructor(subject: Subject, counts: Counts) {
    this.#subject = subject
    this.#counts = counts
    this.#isOneOfThem = allTermsMatch(subject.required, subject.pod)
  }

  static of(pod: PodInfo, snapshot: ClusterSnapshot, namespaces: NamespaceLookup): AffinityFilter {
    const subject: Subject = {
      pod,
      labels: namespaces.labelsOf(pod.namespace),
      required: pod.affinity.required.map(namespaces.resolved),
      requiredAnti: pod.affinity.requiredAnti.map(namespaces.resolved),
      hostileKeys: new Map(),
    }
    const counts = { wanted: new TopologyCounts(), shunned: new TopologyCounts(), hostile: new TopologyCounts() }
    const filter = new AffinityFilter(subject, counts)
    for (const node of snapshot.withRequiredAntiAffinity)
      for (const other of node.podsWithRequiredAntiAffinity) filter.#countHostile(other, node, 1)
    if (subject.required.length > 0 || subject.requiredAnti.length > 0)
      for (const node of snapshot.nodes) for (const other of node.pods) filter.#countMeant(other, node, 1)
    return filter
  }

  filter({ labels }: NodeInfo): PluginRejection | undefined {
    if (!this.#isNear(labels)) return notNear
    const { requiredAnti } = this.#subject
    const { shunned, hostile } = this.#counts
    for (let i = 0; i < requiredAnti.length; i++)
      if (shunned.at(requiredAnti[i]!.topologyKey, labels) > 0) return tooNear
    return hostile.isAnyAt(labels) ? unwanted : undefined
  }

  #isNear(labels: Labels): boolean {
    const { required } = this.#subject
    let isNear = true
    for (let i = 0; i < required.length; i++) {
      const { topologyKey } = required[i]!
      if (labels[topologyKey] === undefined) return false
      if (this.#counts.wanted.at(topologyKey, labels) <= 0) isNear = false
    }
    return isNear || (this.#isOneOfThem && this.#counts.wanted.isEmpty)
  }

  adjustable(): AffinityFilter {
    const { wanted, shunned, hostile } = this.#counts
    return new AffinityFilter(this.#subject, {
      wanted: new TopologyCounts(wanted),
      shunned: new TopologyCounts(shunned),
      hostile: new TopologyCounts(hostile),
    })
  }

  addPod(other: PodInfo, node: NodeInfo): void {
    this.#countHostile(other, node, 1)
    this.#countMeant(other, node, 1)
  }

  removePod(other: PodInfo, node: NodeInfo): void {
    this.#countHostile(other, node, -1)
    this.#countMeant(other, node, -1)
  }

  #countHostile({ affinity }: PodInfo, { labels }: NodeInfo, amount: 1 | -1): void {
    const keys = this.#subject.hostileKeys.get(affinity) ?? this.#hostileKeysOf(affinity)
    for (let i = 0; i < keys.length; i++) this.#counts.hostile.add(keys[i]!, labels, amount)
  }

  /** Where a pod with these terms does not want the pod. Pods of one template share their terms: it is worked out once. */
  #hostileKeysOf(terms: AffinityTerms): readonly string[] {
    const { pod, labels, hostileKeys } = this.#subject
    const meant = terms.requiredAnti.filter((term) => termMatches(term, pod, labels))
    const keys = meant.map(({ topologyKey }) => topologyKey)
    hostileKeys.set(terms, keys)
    return keys
  }

  /** A pod is wanted if all terms mean it, and shunned if one does. */
  #countMeant(other: PodInfo, { labels }: NodeInfo, amount: 1 | -1): void {
    const { required, requiredAnti } = this.#subject
    if (required.length > 0 && allTermsMatch(required, other))
      for (const { topologyKey } of required) this.#counts.wanted.add(topologyKey, labels, amount)
    for (let i = 0; i < requiredAnti.length; i++) {
      const term = requiredAnti[i]!
      if (resolvedTermMatches(term, other)) this.#counts.shunned.add(term.topologyKey, labels, amount)
    }
  }
}
