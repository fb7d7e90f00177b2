import type { Namespace } from '../../api/core/v1/namespace.js'
import type { Node } from '../../api/core/v1/node.js'
import type { PersistentVolume } from '../../api/core/v1/persistent-volume.js'
import type { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { CSINode } from '../../api/storage/v1/csi-node.js'
import type { StorageClass } from '../../api/storage/v1/storage-class.js'
import type { PodInfo } from '../cache/pod-info.js'

/** What happens in a cluster that could let a pod be placed that could not be placed before. */
export interface EventObjects {
  Node: Node
  /** A pod that is on a node. */
  AssignedPod: Pod
  /** A pod that waits: of it the plugins are asked only as long as it is the very one that was refused. */
  WaitingPod: Pod
  Namespace: Namespace
  PersistentVolume: PersistentVolume
  PersistentVolumeClaim: PersistentVolumeClaim
  StorageClass: StorageClass
  CSINode: CSINode
}

export type EventResource = keyof EventObjects

/** What has become of it. Of an update it says what changed, as finely as anybody wants to know. */
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
  /** One, except of an update that changed several things. */
  readonly actions: readonly EventAction[]
  /** Of a deletion: the last that was known of it. */
  readonly object: EventObjects[R]
  /** Of an update: what it was. */
  readonly old?: EventObjects[R]
}

/** Which events could help a pod that a plugin has refused. */
export interface QueueingHint {
  readonly resource: EventResource
  readonly actions: readonly EventAction[]
  /** Whether this event could help that pod; where it is left out, every such event could. Better asked in vain than forgotten. */
  readonly isHelpful?: (pod: PodInfo, event: ClusterEvent) => boolean
}

/** For plugins: `interest('Node', ['added', 'labels'], (pod, { object, old }) => …)`. */
export function queueingHint<R extends EventResource>(
  resource: R,
  actions: readonly EventAction[],
  helps?: (pod: PodInfo, event: ClusterEvent<R>) => boolean,
): QueueingHint {
  return helps
    ? { resource, actions, isHelpful: helps as (pod: PodInfo, event: ClusterEvent) => boolean }
    : { resource, actions }
}
