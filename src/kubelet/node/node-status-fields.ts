import type { NodeAddress, NodeStatus, NodeSystemInfo } from '../../api/core/v1/node/status.js'
import { isHugePages } from '../../api/core/v1/resource-requirements/resource-names.js'
import type { CriImage } from '../../cri/interface/image.js'
import type { HostFacts } from './node-host.js'
import { allocatableOf, type ReservationOptions, type ResourceList } from './node-resources.js'
import type { RuntimeHealth } from './runtime-health.js'
import type { Thresholds } from './thresholds.js'

/** Maximum names per image in the status. */
const namesAtMost = 5

export interface NodeStatusInput {
  readonly facts: HostFacts
  readonly capacity: ResourceList
  readonly reservations: ReservationOptions
  readonly thresholds: Thresholds
  readonly health: Pick<RuntimeHealth, 'version' | 'images' | 'handlers' | 'features'>
  readonly addresses: readonly string[]
  readonly hostname: string
  /** Port of the kubelet's API. */
  readonly port: number
  /** Version of the kubelet: `v1.36.4`. */
  readonly version: string
  /** Maximum images in the status, largest first. Negative for all. */
  readonly maxImages: number
}

/** Computes the status of a Node except its conditions. Keeps extended resources and volumes of other writers. */
export function nodeStatusFields(before: NodeStatus, input: NodeStatusInput): NodeStatus {
  const { health, port, reservations, thresholds } = input
  const capacity = { ...withoutGone(before.capacity ?? {}, input.capacity), ...input.capacity }
  return {
    ...before,
    capacity,
    allocatable: allocatableOf(capacity, reservations, thresholds),
    addresses: addressesOf(input),
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    nodeInfo: nodeInfo(input),
    images: imagesOf(health.images, input.maxImages),
    ...(health.handlers.length > 0 && { runtimeHandlers: health.handlers }),
    ...(health.features && { features: health.features }),
  }
}

/** Drops huge page sizes that the host no longer has. */
function withoutGone(before: ResourceList, own: ResourceList): ResourceList {
  return Object.fromEntries(Object.entries(before).filter(([name]) => !isHugePages(name) || name in own))
}

function addressesOf({ addresses, hostname }: NodeStatusInput): readonly NodeAddress[] {
  return [...addresses.map((address) => ({ type: 'InternalIP', address })), { type: 'Hostname', address: hostname }]
}

function nodeInfo({ facts, health, version }: NodeStatusInput): NodeSystemInfo {
  return {
    machineID: facts.machineId,
    systemUUID: facts.systemUuid,
    bootID: facts.bootId,
    kernelVersion: facts.kernelVersion,
    osImage: facts.osImage,
    containerRuntimeVersion: health.version ?? 'Unknown',
    kubeletVersion: version,
    kubeProxyVersion: '',
    operatingSystem: facts.operatingSystem,
    architecture: facts.architecture,
    ...(facts.swap > 0 && { swap: { capacity: facts.swap } }),
  }
}

function imagesOf(images: readonly CriImage[], atMost: number): NodeStatus['images'] {
  const reported = atMost < 0 ? images : images.slice(0, atMost)
  return reported.map(({ repoDigests, repoTags, size }) => ({
    names: [...repoDigests, ...repoTags].slice(0, namesAtMost),
    sizeBytes: size,
  }))
}
