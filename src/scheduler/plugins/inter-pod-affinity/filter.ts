import { type AffinityTerm, type AffinityTerms, termMatches } from '../../cache/affinity-terms.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { ClusterSnapshot } from '../../cache/snapshot.js'
import type { AdjustableFilter } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'
import { allTermsMatch, type NamespaceLookup, resolvedTermMatches } from './terms.js'
import { TopologyCounts } from './topology-counts.js'

export const interPodAffinityName = 'InterPodAffinity'

/** Deleting pods does not bring the pods nearer that it wants to be near. */
const affinityMismatch: PluginRejection = {
  plugin: interPodAffinityName,
  reasons: ["node(s) didn't match pod affinity rules"],
  isResolvable: false,
}
const antiAffinityMismatch: PluginRejection = {
  plugin: interPodAffinityName,
  reasons: ["node(s) didn't match pod anti-affinity rules"],
  isResolvable: true,
}
const existingAntiAffinityMismatch: PluginRejection = {
  plugin: interPodAffinityName,
  reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
  isResolvable: true,
}

type Labels = Readonly<Record<string, string>>

/** The incoming pod, and what is derived from it once. */
interface IncomingPod {
  readonly pod: PodInfo
  readonly namespaceLabels: Labels
  readonly required: readonly AffinityTerm[]
  readonly requiredAnti: readonly AffinityTerm[]
  /** Topology keys of the anti-affinity terms of existing pods that match the incoming pod. Filled on demand. */
  readonly excludingKeys: Map<AffinityTerms, readonly string[]>
}

/** Numbers of existing pods by topology. */
interface Counts {
  /** Pods that match all required affinity terms of the incoming pod. */
  readonly affinity: TopologyCounts
  /** Pods that match a required anti-affinity term of the incoming pod. */
  readonly antiAffinity: TopologyCounts
  /** Pods that have a required anti-affinity term that matches the incoming pod. */
  readonly existingAntiAffinity: TopologyCounts
}

export class AffinityFilter implements AdjustableFilter {
  readonly #incoming: IncomingPod
  readonly #counts: Counts
  /** The pod matches its own affinity terms, and so may be the first of its group. */
  readonly #matchesItself: boolean

  private constructor(incoming: IncomingPod, counts: Counts) {
    this.#incoming = incoming
    this.#counts = counts
    this.#matchesItself = allTermsMatch(incoming.required, incoming.pod)
  }

  static of(pod: PodInfo, snapshot: ClusterSnapshot, namespaces: NamespaceLookup): AffinityFilter {
    const incoming: IncomingPod = {
      pod,
      namespaceLabels: namespaces.labelsOf(pod.namespace),
      required: pod.affinity.required.map(namespaces.resolved),
      requiredAnti: pod.affinity.requiredAnti.map(namespaces.resolved),
      excludingKeys: new Map(),
    }
    const counts = {
      affinity: new TopologyCounts(),
      antiAffinity: new TopologyCounts(),
      existingAntiAffinity: new TopologyCounts(),
    }
    const filter = new AffinityFilter(incoming, counts)
    for (const node of snapshot.withRequiredAntiAffinity)
      for (const existing of node.podsWithRequiredAntiAffinity) filter.#countExcluding(existing, node, 1)
    if (incoming.required.length > 0 || incoming.requiredAnti.length > 0)
      for (const node of snapshot.nodes) for (const existing of node.pods) filter.#countMatching(existing, node, 1)
    return filter
  }

  filter({ labels }: NodeInfo): PluginRejection | undefined {
    if (!this.#satisfiesAffinity(labels)) return affinityMismatch
    const { requiredAnti } = this.#incoming
    const { antiAffinity, existingAntiAffinity } = this.#counts
    for (let i = 0; i < requiredAnti.length; i++)
      if (antiAffinity.at(requiredAnti[i]!.topologyKey, labels) > 0) return antiAffinityMismatch
    return existingAntiAffinity.isAnyAt(labels) ? existingAntiAffinityMismatch : undefined
  }

  #satisfiesAffinity(labels: Labels): boolean {
    const { required } = this.#incoming
    const { affinity } = this.#counts
    let allPresent = true
    for (let i = 0; i < required.length; i++) {
      const { topologyKey } = required[i]!
      if (labels[topologyKey] === undefined) return false
      if (affinity.at(topologyKey, labels) <= 0) allPresent = false
    }
    return allPresent || (this.#matchesItself && affinity.isZero)
  }

  adjustable(): AffinityFilter {
    const { affinity, antiAffinity, existingAntiAffinity } = this.#counts
    return new AffinityFilter(this.#incoming, {
      affinity: new TopologyCounts(affinity),
      antiAffinity: new TopologyCounts(antiAffinity),
      existingAntiAffinity: new TopologyCounts(existingAntiAffinity),
    })
  }

  addPod(existing: PodInfo, node: NodeInfo): void {
    this.#countExcluding(existing, node, 1)
    this.#countMatching(existing, node, 1)
  }

  removePod(existing: PodInfo, node: NodeInfo): void {
    this.#countExcluding(existing, node, -1)
    this.#countMatching(existing, node, -1)
  }

  #countExcluding({ affinity }: PodInfo, { labels }: NodeInfo, amount: 1 | -1): void {
    const keys = this.#incoming.excludingKeys.get(affinity) ?? this.#excludingKeysOf(affinity)
    for (let i = 0; i < keys.length; i++) this.#counts.existingAntiAffinity.add(keys[i]!, labels, amount)
  }

  /** Pods of one template share their terms, so that this is computed once for all of them. */
  #excludingKeysOf(terms: AffinityTerms): readonly string[] {
    const { pod, namespaceLabels, excludingKeys } = this.#incoming
    const matching = terms.requiredAnti.filter((term) => termMatches(term, pod, namespaceLabels))
    const keys = matching.map(({ topologyKey }) => topologyKey)
    excludingKeys.set(terms, keys)
    return keys
  }

  #countMatching(existing: PodInfo, { labels }: NodeInfo, amount: 1 | -1): void {
    const { required, requiredAnti } = this.#incoming
    if (required.length > 0 && allTermsMatch(required, existing))
      for (const { topologyKey } of required) this.#counts.affinity.add(topologyKey, labels, amount)
    for (let i = 0; i < requiredAnti.length; i++) {
      const term = requiredAnti[i]!
      if (resolvedTermMatches(term, existing)) this.#counts.antiAffinity.add(term.topologyKey, labels, amount)
    }
  }
}
