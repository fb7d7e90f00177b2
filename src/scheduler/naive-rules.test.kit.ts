/**
 * The rules of where a pod may be, as the documentation has them: slow, obvious, and written without a look at the plugins. Every question
 * is answered from the objects themselves, by counting.
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

export interface NaiveWorld {
  readonly nodes: readonly Node[]
  /** All that are on a node, as `spec.nodeName` says. */
  readonly pods: readonly Pod[]
  /** Of namespaces, by name. */
  readonly namespaces: Readonly<Record<string, Labels>>
}

/** Whether the pod may be placed on the node, by all rules of the default scheduler. */
export function mayBeOn(pod: Pod, node: Node, world: NaiveWorld): boolean {
  return (
    isOpen(pod, node) &&
    toleratesAll(pod, node, ['NoSchedule', 'NoExecute']) &&
    matchesNode(pod, node) &&
    hasFreePorts(pod, node, world) &&
    hasRoom(pod, node, world) &&
    isSpread(pod, node, world) &&
    isNearWhatItNeeds(pod, node, world) &&
    isAwayFromWhatItShuns(pod, node, world) &&
    isWelcome(pod, node, world)
  )
}

const labelsOf = (object: { readonly metadata: { readonly labels?: Labels } }): Labels => object.metadata.labels ?? {}
const podsOn = (node: Node, { pods }: NaiveWorld) => pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
const nodeOf = (pod: Pod, { nodes }: NaiveWorld) => nodes.find(({ metadata }) => metadata.name === pod.spec.nodeName)

function isOpen({ spec }: Pod, node: Node): boolean {
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

function hasFreePorts(pod: Pod, node: Node, world: NaiveWorld): boolean {
  const taken = podsOn(node, world).flatMap(hostPorts)
  return hostPorts(pod).every((one) =>
    taken.every(
      (other) =>
        one.hostPort !== other.hostPort ||
        one.protocol !== other.protocol ||
        (one.hostIP !== other.hostIP && one.hostIP !== '0.0.0.0' && other.hostIP !== '0.0.0.0'),
    ),
  )
}

function hasRoom(pod: Pod, node: Node, world: NaiveWorld): boolean {
  const there = podsOn(node, world)
  if ((there.length + 1) * 1000 > amount(node.status.allocatable?.pods)) return false
  return ['cpu', 'memory'].every((resource) => {
    const asked = amountAsked(pod, resource)
    const used = there.reduce((sum, other) => sum + amountAsked(other, resource), 0)
    return asked === 0 || asked + used <= amount(node.status.allocatable?.[resource])
  })
}

/** In thousandths: sums of fractions would not be exact. */
function amount(text: string | undefined): number {
  return text === undefined ? 0 : Quantity.parse(text).milliValue()
}

function amountAsked({ spec }: Pod, resource: string): number {
  return spec.containers.reduce((sum, { resources }) => sum + amount(resources?.requests?.[resource]), 0)
}

function isSpread(pod: Pod, node: Node, world: NaiveWorld): boolean {
  const hard = (pod.spec.topologySpreadConstraints ?? []).filter((each) => each.whenUnsatisfiable === 'DoNotSchedule')
  return hard.every((constraint) => isSkewSmall(constraint, hard, { pod, node, world }))
}

function isSkewSmall(
  constraint: TopologySpreadConstraint,
  all: readonly TopologySpreadConstraint[],
  { pod, node, world }: { readonly pod: Pod; readonly node: Node; readonly world: NaiveWorld },
): boolean {
  const { topologyKey, maxSkew, minDomains = 1 } = constraint
  const isPlace = (each: Node) =>
    all.every((other) => labelsOf(each)[other.topologyKey] !== undefined) &&
    (constraint.nodeAffinityPolicy === 'Ignore' || matchesNode(pod, each)) &&
    (constraint.nodeTaintsPolicy !== 'Honor' || toleratesAll(pod, each, ['NoSchedule', 'NoExecute']))
  const domainOf = (each: Node) => labelsOf(each)[topologyKey]!
  if (domainOf(node) === undefined) return false
  const isLike = (other: Pod) =>
    other.metadata.namespace === pod.metadata.namespace &&
    other.metadata.deletionTimestamp === undefined &&
    selects(constraint.labelSelector, labelsOf(other))
  const places = world.nodes.filter(isPlace)
  const countIn = (domain: string) =>
    places.filter((each) => domainOf(each) === domain).flatMap((each) => podsOn(each, world).filter(isLike)).length
  const counts = [...new Set(places.map(domainOf))].map(countIn)
  const fewest = counts.length < minDomains ? 0 : Math.min(...counts)
  const self = selects(constraint.labelSelector, labelsOf(pod)) ? 1 : 0
  return countIn(domainOf(node)) + self - fewest <= maxSkew
}

function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  return (
    selector !== undefined && Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
  )
}

/** Whether a term of a pod means another one. */
function means(term: PodAffinityTerm, owner: Pod, other: Pod, { namespaces }: NaiveWorld): boolean {
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

function isSamePlace(key: string, node: Node, other: Node | undefined): boolean {
  const value = labelsOf(node)[key]
  return other !== undefined && value !== undefined && labelsOf(other)[key] === value
}

function isNearWhatItNeeds(pod: Pod, node: Node, world: NaiveWorld): boolean {
  const terms = requiredTerms(pod)
  if (terms.length === 0) return true
  if (terms.some(({ topologyKey }) => labelsOf(node)[topologyKey] === undefined)) return false
  const isFriend = (other: Pod) => terms.every((term) => means(term, pod, other, world))
  const friends = world.pods.filter(isFriend)
  const isNear = terms.every(({ topologyKey }) =>
    friends.some((friend) => isSamePlace(topologyKey, node, nodeOf(friend, world))),
  )
  // The first of those who want to be together may be anywhere where such a place can be told.
  const isAnyInPlace = friends.some((friend) => {
    const labels = labelsOf(nodeOf(friend, world)!)
    return terms.some(({ topologyKey }) => labels[topologyKey] !== undefined)
  })
  return isNear || (!isAnyInPlace && isFriend(pod))
}

function isAwayFromWhatItShuns(pod: Pod, node: Node, world: NaiveWorld): boolean {
  return requiredAntiTerms(pod).every((term) =>
    world.pods.every(
      (other) => !means(term, pod, other, world) || !isSamePlace(term.topologyKey, node, nodeOf(other, world)),
    ),
  )
}

function isWelcome(pod: Pod, node: Node, world: NaiveWorld): boolean {
  return world.pods.every((other) =>
    requiredAntiTerms(other).every(
      (term) => !means(term, other, pod, world) || !isSamePlace(term.topologyKey, node, nodeOf(other, world)),
    ),
  )
}
