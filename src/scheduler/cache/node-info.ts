import type { Node } from '../../api/core/v1/node.js'
import type { ContainerHostPort } from './host-ports.js'
import type { PodInfo } from './pod-info.js'
import {
  addResources,
  type NonZeroResources,
  noResources,
  parseResources,
  parseWholeQuantity,
  type ResourceAmounts,
  subtractResources,
} from './resources.js'

/**
 * A node with the pods that are on it or are about to be. Immutable: whoever adds a pod gets another one, so that a node is the same as
 * before exactly if it is the same object. What filters and scores ask is kept as totals, and never added up on the way.
 */
export class NodeInfo {
  readonly name: string
  readonly node: Node
  readonly labels: Readonly<Record<string, string>>
  readonly allocatable: ResourceAmounts
  /** How many pods it takes. */
  readonly allowedPods: number
  /** Sizes in bytes, by each name of an image that is on it. */
  readonly images: ReadonlyMap<string, number>
  readonly pods: readonly PodInfo[]
  readonly requested: ResourceAmounts
  readonly nonZeroRequested: NonZeroResources
  readonly hostPorts: readonly ContainerHostPort[]
  /** Those of `pods` that say anything of other pods. */
  readonly podsWithAffinity: readonly PodInfo[]
  /** Those of them that will have no others of some kind beside them. */
  readonly podsWithRequiredAntiAffinity: readonly PodInfo[]

  private constructor(fixed: FixedPart, occupancy: Occupancy) {
    this.name = fixed.name
    this.node = fixed.node
    this.labels = fixed.labels
    this.allocatable = fixed.allocatable
    this.allowedPods = fixed.allowedPods
    this.images = fixed.images
    this.pods = occupancy.pods
    this.requested = occupancy.requested
    this.nonZeroRequested = occupancy.nonZeroRequested
    this.hostPorts = occupancy.hostPorts
    this.podsWithAffinity = occupancy.podsWithAffinity
    this.podsWithRequiredAntiAffinity = occupancy.podsWithRequiredAntiAffinity
  }

  static of(node: Node, pods: Iterable<PodInfo> = []): NodeInfo {
    let info = new NodeInfo(fixedPart(node), empty)
    for (const pod of pods) info = info.withPod(pod)
    return info
  }

  /** The same pods on what the node is now. */
  withNode(node: Node): NodeInfo {
    return new NodeInfo(fixedPart(node), this)
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

  /** Several at once. */
  withoutPods(gone: ReadonlySet<PodInfo>): NodeInfo {
    const isLeft = (pod: PodInfo) => !gone.has(pod)
    const pods = this.pods.filter(isLeft)
    let { requested } = this
    let { milliCpu, memory } = this.nonZeroRequested
    let hasPorts = false
    for (const pod of gone) {
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
      podsWithAffinity: filtered(this.podsWithAffinity, isLeft),
      podsWithRequiredAntiAffinity: filtered(this.podsWithRequiredAntiAffinity, isLeft),
    })
  }

  /** The same if there is no pod of that uid. */
  withoutPod({ uid }: Pick<PodInfo, 'uid'>): NodeInfo {
    const place = this.pods.findIndex((each) => each.uid === uid)
    const pod = this.pods[place]
    if (!pod) return this
    const isOther = (each: PodInfo) => each !== pod
    const { nonZeroRequested: nonZero } = this
    const pods = this.pods.toSpliced(place, 1)
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

type FixedPart = Pick<NodeInfo, 'name' | 'node' | 'labels' | 'allocatable' | 'allowedPods' | 'images'>
type Occupancy = Omit<NodeInfo, keyof FixedPart | 'withNode' | 'withPod' | 'withoutPod' | 'withoutPods'>

function filtered(pods: readonly PodInfo[], isLeft: (pod: PodInfo) => boolean): readonly PodInfo[] {
  return pods.length === 0 ? pods : pods.filter(isLeft)
}

const empty: Occupancy = {
  pods: [],
  requested: noResources,
  nonZeroRequested: { milliCpu: 0, memory: 0 },
  hostPorts: [],
  podsWithAffinity: [],
  podsWithRequiredAntiAffinity: [],
}

function fixedPart(node: Node): FixedPart {
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
