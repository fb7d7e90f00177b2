import { type AffinityTerm, isMeant } from '../../affinity-terms.js'
import type { NodeInfo } from '../../node-info.js'
import type { AdjustableFilter } from '../../plugin.js'
import type { PodInfo } from '../../pod-info.js'
import type { Refusal } from '../../refusal.js'
import type { Snapshot } from '../../snapshot.js'
import { allMean, means, type Namespaces } from './terms.js'
import { TopologyCounts } from './topology-counts.js'

export const name = 'InterPodAffinity'

/** No pod that went away would bring the others nearer. */
const notNear: Refusal = {
  plugin: name,
  reasons: ["node(s) didn't match pod affinity rules"],
  isResolvable: false,
}
const tooNear: Refusal = {
  plugin: name,
  reasons: ["node(s) didn't match pod anti-affinity rules"],
  isResolvable: true,
}
const unwanted: Refusal = {
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
    this.#isOneOfThem = allMean(subject.required, subject.pod)
  }

  static of(pod: PodInfo, snapshot: Snapshot, namespaces: Namespaces): AffinityFilter {
    const subject: Subject = {
      pod,
      labels: namespaces.labelsOf(pod.namespace),
      required: pod.affinity.required.map(namespaces.resolved),
      requiredAnti: pod.affinity.requiredAnti.map(namespaces.resolved),
    }
    const counts = { wanted: new TopologyCounts(), shunned: new TopologyCounts(), hostile: new TopologyCounts() }
    for (const node of snapshot.withRequiredAntiAffinity)
      for (const other of node.podsWithRequiredAntiAffinity) countHostile(subject, counts, { other, node, amount: 1 })
    if (subject.required.length > 0 || subject.requiredAnti.length > 0)
      for (const node of snapshot.nodes)
        for (const other of node.pods) countMeant(subject, counts, { other, node, amount: 1 })
    return new AffinityFilter(subject, counts)
  }

  refuse({ labels }: NodeInfo): Refusal | undefined {
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
    this.#adjust({ other, node, amount: 1 })
  }

  removePod(other: PodInfo, node: NodeInfo): void {
    this.#adjust({ other, node, amount: -1 })
  }

  #adjust(change: Change): void {
    countHostile(this.#subject, this.#counts, change)
    countMeant(this.#subject, this.#counts, change)
  }
}

/** A pod that is on a node, or is not any more. */
interface Change {
  readonly other: PodInfo
  readonly node: NodeInfo
  readonly amount: 1 | -1
}

function countHostile({ pod, labels }: Subject, { hostile }: Counts, { other, node, amount }: Change): void {
  for (const term of other.affinity.requiredAnti)
    if (isMeant(term, pod, labels)) hostile.add(term.topologyKey, node.labels, amount)
}

/** A pod is wanted if all terms mean it, and shunned if one does. */
function countMeant({ required, requiredAnti }: Subject, counts: Counts, { other, node, amount }: Change): void {
  if (required.length > 0 && allMean(required, other))
    for (const { topologyKey } of required) counts.wanted.add(topologyKey, node.labels, amount)
  for (let i = 0; i < requiredAnti.length; i++) {
    const term = requiredAnti[i]!
    if (means(term, other)) counts.shunned.add(term.topologyKey, node.labels, amount)
  }
}
