import type { Namespace } from '../../api/core/v1/namespace.js'
import type { Node } from '../../api/core/v1/node.js'
import type { PersistentVolume } from '../../api/core/v1/persistent-volume.js'
import type { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { CSINode } from '../../api/storage/v1/csi-node.js'
import type { StorageClass } from '../../api/storage/v1/storage-class.js'
import type { PodInfo } from '../cache/pod-info.js'

/** The resources whose changes can make a pod schedulable. */
export interface EventObjects {
  Node: Node
  /** A pod that has a node. */
  AssignedPod: Pod
  /** A pod without a node. Only hints for the pod itself are evaluated: one pod in the queue does not help another. */
  UnscheduledPod: Pod
  Namespace: Namespace
  PersistentVolume: PersistentVolume
  PersistentVolumeClaim: PersistentVolumeClaim
  StorageClass: StorageClass
  CSINode: CSINode
}

export type EventResource = keyof EventObjects

/** What happened to the object. An update is named by what it changed, as finely as plugins distinguish updates. */
export type EventAction = 'added' | 'deleted' | NodeChange | PodChange | 'updated'
export type NodeChange =
  | 'allocatable'
  | 'labels'
  | 'taints'
  | 'conditions'
  | 'unschedulable'
  | 'annotations'
  | 'features'
export type PodChange = 'pod labels' | 'scaled down' | 'tolerations' | 'gates removed'

export interface ClusterEvent<R extends EventResource = EventResource> {
  readonly resource: R
  /** More than one only for an update that changed several things. */
  readonly actions: readonly EventAction[]
  /** For a deletion, the last known state. */
  readonly object: EventObjects[R]
  /** The state before an update. */
  readonly old?: EventObjects[R]
}

/** Which events can make a pod schedulable that a plugin rejected: upstream's ClusterEventWithHint. */
export interface QueueingHint {
  readonly resource: EventResource
  readonly actions: readonly EventAction[]
  /** Whether the event can help this pod. Left out: it always can. When in doubt, true: a needless attempt is better than a lost pod. */
  readonly isHelpful?: (pod: PodInfo, event: ClusterEvent) => boolean
}

/** For plugins: `queueingHint('Node', ['added', 'labels'], (pod, { object, old }) => …)`. */
export function queueingHint<R extends EventResource>(
  resource: R,
  actions: readonly EventAction[],
  isHelpful?: (pod: PodInfo, event: ClusterEvent<R>) => boolean,
): QueueingHint {
  return isHelpful
    ? { resource, actions, isHelpful: isHelpful as (pod: PodInfo, event: ClusterEvent) => boolean }
    : { resource, actions }
}
