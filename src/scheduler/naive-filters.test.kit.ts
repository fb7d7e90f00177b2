/**
 * The filters of the default scheduler as the documentation describes them: slow, obvious, and written without a look at the plugins.
 * Everything is counted from the objects themselves.
 */

import type { NodeSelectorRequirement, NodeSelectorTerm } from '../api/core/v1/affinity/node-selector.js'
import type { PodAffinityTerm } from '../api/core/v1/affinity.js'
import type { Node } from '../api/core/v1/node.js'
import type { TopologySpreadConstraint } from '../api/core/v1/pod/spec.js'
import type { Pod } from '../api/core/v1/pod.js'
import type { Taint, Toleration } from '../api/core/v1/taint.js'
import type { LabelSelector } from '../api/meta/v1/label-selector.js'
import { Quantity } from '../schema/values/quantity.js'

type Labels = Readonly<Record<string, string>>

export interface NaiveCluster {
  readonly nodes: readonly Node[]
  /** Pods that have a node. */
  readonly pods: readonly Pod[]
  /** Labels of namespaces, by name. */
  readonly namespaces: Readonly<Record<string, Labels>>
}

/** Whether the node passes all filters for the pod. */
export function fitsNaively(pod: Pod, node: Node, cluster: NaiveCluster): boolean {
  return (
    isSchedulable(pod, node) &&
    toleratesAll(pod, node, ['NoSchedule', 'NoExecute']) &&
    matchesNode(pod, node) &&
    hasFreePorts(pod, node, cluster) &&
    hasResources(pod, node, cluster) &&
    isSpread(pod, node, cluster) &&
    satisfiesAffinity(pod, node, cluster) &&
    satisfiesAntiAffinity(pod, node, cluster) &&
    satisfiesExistingAntiAffinity(pod, node, cluster)
  )
}

const labelsOf = (object: { readonly metadata: { readonly labels?: Labels } }): Labels => object.metadata.labels ?? {}
const podsOn = (node: Node, { pods }: NaiveCluster) => pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
const nodeOf = (pod: Pod, { nodes }: NaiveCluster) => nodes.find(({ metadata }) => metadata.name === pod.spec.nodeName)

function isSchedulable({ spec }: Pod, node: Node): boolean {
  const taint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
  return !node.spec.unschedulable || (spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint))
}

function toleratesAll({ spec }: Pod, node: Node, effects: readonly string[]): boolean {
  const taints = (node.spec.taints ?? []).filter(({ effect }) => effects.includes(effect))
  return taints.every((taint) => (spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)))
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  const isSameEffect = !toleration.effect || toleration.effect === taint.effect
  if (toleration.operator === 'Exists') return isSameEffect && (!toleration.key || toleration.key === taint.key)
  return isSameEffect && toleration.key === taint.key && (toleration.value ?? '') === (taint.value ?? '')
}

function matchesNode({ spec }: Pod, node: Node): boolean {
  const labels = labelsOf(node)
  const isSelected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return isSelected && (!required || required.nodeSelectorTerms.some((term) => termHolds(term, node)))
}

function termHolds({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  const labels = labelsOf(node)
  return (
    matchExpressions.every((each) => requirementHolds(each, labels[each.key])) &&
    matchFields.every((each) => requirementHolds(each, node.metadata.name))
  )
}

function requirementHolds({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  if (operator === 'In') return value !== undefined && values.includes(value)
  if (operator === 'NotIn') return value === undefined || !values.includes(value)
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  if (operator === 'Gt') return Number(value) > Number(values[0])
  return Number(value) < Number(values[0])
}

function hostPorts({ spec }: Pod) {
  return spec.containers
    .flatMap(({ ports = [] }) => ports)
    .flatMap(({ hostPort, protocol = 'TCP', hostIP = '0.0.0.0' }) => (hostPort ? [{ hostPort, protocol, hostIP }] : []))
}

function hasFreePorts(pod: Pod, node: Node, cluster: NaiveCluster): boolean {
  const taken = podsOn(node, cluster).flatMap(hostPorts)
  return hostPorts(pod).every((one) =>
    taken.every(
      (other) =>
        one.hostPort !== other.hostPort ||
        one.protocol !== other.protocol ||
        (one.hostIP !== other.hostIP && one.hostIP !== '0.0.0.0' && other.hostIP !== '0.0.0.0'),
    ),
  )
}

function hasResources(pod: Pod, node: Node, cluster: NaiveCluster): boolean {
  const there = podsOn(node, cluster)
  if ((there.length + 1) * 1000 > amount(node.status.allocatable?.pods)) return false
  return ['cpu', 'memory'].every((resource) => {
    const requested = requestedAmount(pod, resource)
    const used = there.reduce((sum, other) => sum + requestedAmount(other, resource), 0)
    return requested === 0 || requested + used <= amount(node.status.allocatable?.[resource])
  })
}

/** In thousandths, so that sums are exact. */
function amount(text: string | undefined): number {
  return text === undefined ? 0 : Quantity.parse(text).milliValue()
}

function requestedAmount({ spec }: Pod, resource: string): number {
  return spec.containers.reduce((sum, { resources }) => sum + amount(resources?.requests?.[resource]), 0)
}

function isSpread(pod: Pod, node: Node, cluster: NaiveCluster): boolean {
  const hard = (pod.spec.topologySpreadConstraints ?? []).filter((each) => each.whenUnsatisfiable === 'DoNotSchedule')
  return hard.every((constraint) => isSkewSmall(constraint, hard, { pod, node, cluster }))
}

function isSkewSmall(
  constraint: TopologySpreadConstraint,
  all: readonly TopologySpreadConstraint[],
  { pod, node, cluster }: { readonly pod: Pod; readonly node: Node; readonly cluster: NaiveCluster },
): boolean {
  const { topologyKey, maxSkew, minDomains = 1 } = constraint
  const isIncluded = (each: Node) =>
    all.every((other) => labelsOf(each)[other.topologyKey] !== undefined) &&
    (constraint.nodeAffinityPolicy === 'Ignore' || matchesNode(pod, each)) &&
    (constraint.nodeTaintsPolicy !== 'Honor' || toleratesAll(pod, each, ['NoSchedule', 'NoExecute']))
  const domainOf = (each: Node) => labelsOf(each)[topologyKey]!
  if (domainOf(node) === undefined) return false
  const isCounted = (other: Pod) =>
    other.metadata.namespace === pod.metadata.namespace &&
    other.metadata.deletionTimestamp === undefined &&
    selects(constraint.labelSelector, labelsOf(other))
  const included = cluster.nodes.filter(isIncluded)
  const countIn = (domain: string) =>
    included.filter((each) => domainOf(each) === domain).flatMap((each) => podsOn(each, cluster).filter(isCounted))
      .length
  const counts = [...new Set(included.map(domainOf))].map(countIn)
  const fewest = counts.length < minDomains ? 0 : Math.min(...counts)
  const self = selects(constraint.labelSelector, labelsOf(pod)) ? 1 : 0
  return countIn(domainOf(node)) + self - fewest <= maxSkew
}

function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  return (
    selector !== undefined && Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
  )
}

/** Whether the term of `owner` selects the other pod. */
function termSelects(term: PodAffinityTerm, owner: Pod, other: Pod, { namespaces }: NaiveCluster): boolean {
  const { namespaces: names = [], namespaceSelector } = term
  const namespace = other.metadata.namespace ?? ''
  const isNamed = names.includes(namespace)
  const isSelected = namespaceSelector !== undefined && selects(namespaceSelector, namespaces[namespace] ?? {})
  const isOwn = names.length === 0 && !namespaceSelector && namespace === owner.metadata.namespace
  return (isNamed || isSelected || isOwn) && selects(term.labelSelector, labelsOf(other))
}

const requiredTerms = ({ spec }: Pod) =>
  spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
const requiredAntiTerms = ({ spec }: Pod) =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []

function isSameDomain(key: string, node: Node, other: Node | undefined): boolean {
  const value = labelsOf(node)[key]
  return other !== undefined && value !== undefined && labelsOf(other)[key] === value
}

function satisfiesAffinity(pod: Pod, node: Node, cluster: NaiveCluster): boolean {
  const terms = requiredTerms(pod)
  if (terms.length === 0) return true
  if (terms.some(({ topologyKey }) => labelsOf(node)[topologyKey] === undefined)) return false
  const isMatch = (other: Pod) => terms.every((term) => termSelects(term, pod, other, cluster))
  const matching = cluster.pods.filter(isMatch)
  const isNear = terms.every(({ topologyKey }) =>
    matching.some((other) => isSameDomain(topologyKey, node, nodeOf(other, cluster))),
  )
  // The first pod of a group may go to any node that has the topology keys.
  const isAnyInDomain = matching.some((other) => {
    const labels = labelsOf(nodeOf(other, cluster)!)
    return terms.some(({ topologyKey }) => labels[topologyKey] !== undefined)
  })
  return isNear || (!isAnyInDomain && isMatch(pod))
}

function satisfiesAntiAffinity(pod: Pod, node: Node, cluster: NaiveCluster): boolean {
  return requiredAntiTerms(pod).every((term) =>
    cluster.pods.every(
      (other) =>
        !termSelects(term, pod, other, cluster) || !isSameDomain(term.topologyKey, node, nodeOf(other, cluster)),
    ),
  )
}

function satisfiesExistingAntiAffinity(pod: Pod, node: Node, cluster: NaiveCluster): boolean {
  return cluster.pods.every((other) =>
    requiredAntiTerms(other).every(
      (term) =>
        !termSelects(term, other, pod, cluster) || !isSameDomain(term.topologyKey, node, nodeOf(other, cluster)),
    ),
  )
}
