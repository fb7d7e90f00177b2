import type { Node } from '../../api/core/v1/node.js'
import type { ContainerHostPort } from './host-ports.js'
import type { PodInfo } from './pod-info.js'
import {
  addResources,
  type ComputeResources,
  type NonZeroResources,
  noResources,
  parseResources,
  parseWholeQuantity,
  subtractResources,
} from './resources.js'

/**
 * A node with its pods, assumed ones included. Immutable: adding a pod makes a new object, so that a node is unchanged exactly if it is
 * the same object. What filters and scorers read is kept as totals, so that they never iterate over the pods.
 */
export class NodeInfo {
  readonly name: string
  readonly node: Node
  readonly labels: Readonly<Record<string, string>>
  readonly allocatable: ComputeResources
  /** The allocatable number of pods. */
  readonly allowedPods: number
  /** Sizes in bytes by image name. */
  readonly images: ReadonlyMap<string, number>
  readonly pods: readonly PodInfo[]
  readonly requested: ComputeResources
  readonly nonZeroRequested: NonZeroResources
  readonly hostPorts: readonly ContainerHostPort[]
  /** Those of `pods` that have affinity or anti-affinity terms. */
  readonly podsWithAffinity: readonly PodInfo[]
  readonly podsWithRequiredAntiAffinity: readonly PodInfo[]

  private constructor(facts: NodeFacts, occupancy: Occupancy) {
    this.name = facts.name
    this.node = facts.node
    this.labels = facts.labels
    this.allocatable = facts.allocatable
    this.allowedPods = facts.allowedPods
    this.images = facts.images
    this.pods = occupancy.pods
    this.requested = occupancy.requested
    this.nonZeroRequested = occupancy.nonZeroRequested
    this.hostPorts = occupancy.hostPorts
    this.podsWithAffinity = occupancy.podsWithAffinity
    this.podsWithRequiredAntiAffinity = occupancy.podsWithRequiredAntiAffinity
  }

  static of(node: Node, pods: Iterable<PodInfo> = []): NodeInfo {
    let info = new NodeInfo(nodeFacts(node), empty)
    for (const pod of pods) info = info.withPod(pod)
    return info
  }

  /** After an update of the node. */
  withNode(node: Node): NodeInfo {
    return new NodeInfo(nodeFacts(node), this)
  }

  withPod(pod: PodInfo): NodeInfo {
    const { pods, hostPorts, nonZeroRequested: nonZero } = this
    const { affinity } = pod
    return new NodeInfo(this, {
      pods: [...pods, pod],
      requested: addResources(this.requested, pod.requests),
      nonZeroRequested: {
        milliCpu: nonZero.milliCpu + pod.nonZero.milliCpu,
        memory: nonZero.memory + pod.nonZero.memory,
      },
      hostPorts: pod.hostPorts.length === 0 ? hostPorts : [...hostPorts, ...pod.hostPorts],
      podsWithAffinity: affinity.isEmpty ? this.podsWithAffinity : [...this.podsWithAffinity, pod],
      podsWithRequiredAntiAffinity:
        affinity.requiredAnti.length === 0
          ? this.podsWithRequiredAntiAffinity
          : [...this.podsWithRequiredAntiAffinity, pod],
    })
  }

  withoutPods(removed: ReadonlySet<PodInfo>): NodeInfo {
    const remains = (pod: PodInfo) => !removed.has(pod)
    const pods = this.pods.filter(remains)
    let { requested } = this
    let { milliCpu, memory } = this.nonZeroRequested
    let hasPorts = false
    for (const pod of removed) {
      requested = subtractResources(requested, pod.requests)
      milliCpu -= pod.nonZero.milliCpu
      memory -= pod.nonZero.memory
      hasPorts ||= pod.hostPorts.length > 0
    }
    return new NodeInfo(this, {
      pods,
      requested: pods.length === 0 ? noResources : requested,
      nonZeroRequested: { milliCpu, memory },
      hostPorts: hasPorts ? pods.flatMap((each) => each.hostPorts) : this.hostPorts,
      podsWithAffinity: filtered(this.podsWithAffinity, remains),
      podsWithRequiredAntiAffinity: filtered(this.podsWithRequiredAntiAffinity, remains),
    })
  }

  /** The same object if the node does not have the pod. */
  withoutPod({ uid }: Pick<PodInfo, 'uid'>): NodeInfo {
    const index = this.pods.findIndex((each) => each.uid === uid)
    const pod = this.pods[index]
    if (!pod) return this
    const isOther = (each: PodInfo) => each !== pod
    const { nonZeroRequested: nonZero } = this
    const pods = this.pods.toSpliced(index, 1)
    return new NodeInfo(this, {
      pods,
      requested: pods.length === 0 ? noResources : subtractResources(this.requested, pod.requests),
      nonZeroRequested: {
        milliCpu: nonZero.milliCpu - pod.nonZero.milliCpu,
        memory: nonZero.memory - pod.nonZero.memory,
      },
      hostPorts: pod.hostPorts.length === 0 ? this.hostPorts : pods.flatMap((each) => each.hostPorts),
      podsWithAffinity: pod.affinity.isEmpty ? this.podsWithAffinity : this.podsWithAffinity.filter(isOther),
      podsWithRequiredAntiAffinity:
        pod.affinity.requiredAnti.length === 0
          ? this.podsWithRequiredAntiAffinity
          : this.podsWithRequiredAntiAffinity.filter(isOther),
    })
  }
}

type NodeFacts = Pick<NodeInfo, 'name' | 'node' | 'labels' | 'allocatable' | 'allowedPods' | 'images'>
type Occupancy = Omit<NodeInfo, keyof NodeFacts | 'withNode' | 'withPod' | 'withoutPod' | 'withoutPods'>

function filtered(pods: readonly PodInfo[], remains: (pod: PodInfo) => boolean): readonly PodInfo[] {
  return pods.length === 0 ? pods : pods.filter(remains)
}

const empty: Occupancy = {
  pods: [],
  requested: noResources,
  nonZeroRequested: { milliCpu: 0, memory: 0 },
  hostPorts: [],
  podsWithAffinity: [],
  podsWithRequiredAntiAffinity: [],
}

function nodeFacts(node: Node): NodeFacts {
  const { allocatable, images = [] } = node.status ?? {}
  const sizes = new Map<string, number>()
  for (const { names = [], sizeBytes = 0 } of images) for (const name of names) sizes.set(name, sizeBytes)
  return {
    name: node.metadata.name!,
    node,
    labels: node.metadata.labels ?? {},
    allocatable: parseResources(allocatable),
    allowedPods: parseWholeQuantity(allocatable?.pods),
    images: sizes,
  }
}
