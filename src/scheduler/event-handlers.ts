import { Namespace } from '../api/core/v1/namespace.js'
import { Node } from '../api/core/v1/node.js'
import { PersistentVolume } from '../api/core/v1/persistent-volume.js'
import { PersistentVolumeClaim } from '../api/core/v1/persistent-volume-claim.js'
import { Pod } from '../api/core/v1/pod.js'
import { CSINode } from '../api/storage/v1/csi-node.js'
import { StorageClass } from '../api/storage/v1/storage-class.js'
import type { Change, Informer } from '../client/informers/informer.js'
import type { Informers } from '../client/informers/informers.js'
import type { ClusterCache } from './cache/cluster-cache.js'
import type { ClusterEvent, EventAction, EventResource } from './framework/cluster-event.js'
import { nodeUpdateActions, podUpdateActions } from './framework/update-actions.js'
import type { SchedulingQueue } from './queue/scheduling-queue.js'

/** Pods that have ended need no node. */
export const unfinishedPods = { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' }

/** Watched only if a plugin has a queueing hint for it. */
const hintedKinds = { Namespace, PersistentVolume, PersistentVolumeClaim, StorageClass, CSINode } as const

export interface EventTargets {
  readonly cache: ClusterCache
  readonly queue: SchedulingQueue
  /** Whether the pod names one of the profiles of this scheduler. */
  readonly isResponsible: (pod: Pod) => boolean
}

/** Passes the changes of the cluster on to the cache and the queue. */
export function registerEventHandlers(informers: Informers, targets: EventTargets): void {
  informers.of(Node).onChange((change) => handleNode(change, targets))
  informers.of(Pod, unfinishedPods).onChange((change) => handlePod(change, targets))
  for (const resource of targets.queue.hints.resources)
    if (Object.hasOwn(hintedKinds, resource)) watchKind(resource as keyof typeof hintedKinds, informers, targets)
}

function watchKind(resource: keyof typeof hintedKinds, informers: Informers, { queue }: EventTargets): void {
  const informer: Informer = informers.of(hintedKinds[resource] as typeof Namespace)
  informer.onChange(({ type, object, old }) =>
    queue.handleEvent(eventFrom(resource, type, { object: object as Namespace, old: old as Namespace | undefined })),
  )
}

function eventFrom(
  resource: EventResource,
  type: Change<unknown>['type'],
  { object, old }: { readonly object: Namespace; readonly old: Namespace | undefined },
): ClusterEvent {
  return { resource, actions: [type], object, ...(old && { old }) } as ClusterEvent
}

function handleNode({ type, object, old }: Change<Node>, { cache, queue }: EventTargets): void {
  if (type === 'deleted') cache.removeNode(object.metadata.name!)
  else cache.putNode(object)
  const actions = type === 'updated' ? nodeUpdateActions(old!, object) : [type]
  if (actions.length > 0) queue.handleEvent({ resource: 'Node', actions, object, ...(old && { old }) })
}

function handlePod(change: Change<Pod>, targets: EventTargets): void {
  const { type, object, old } = change
  // After a missed deletion, an informer reports another pod of the same name as an update.
  if (old && old.metadata.uid !== object.metadata.uid) {
    handlePod({ type: 'deleted', object: old }, targets)
    handlePod({ type: 'added', object }, targets)
  } else if (type === 'deleted') handleDeleted(object, targets)
  else if (object.spec.nodeName) handleAssigned(object, old, targets)
  else handleUnscheduled(object, old, targets)
}

function handleAssigned(pod: Pod, old: Pod | undefined, { cache, queue }: EventTargets): void {
  queue.remove(pod.metadata.uid!)
  cache.putPod(pod)
  const isNew = !old?.spec.nodeName
  const actions: readonly EventAction[] = isNew ? ['added'] : podUpdateActions(old, pod)
  if (actions.length > 0) queue.handleEvent({ resource: 'AssignedPod', actions, object: pod, ...(!isNew && { old }) })
}

function handleUnscheduled(pod: Pod, old: Pod | undefined, { cache, queue, isResponsible }: EventTargets): void {
  const uid = pod.metadata.uid!
  if (cache.isAssumed(uid)) {
    // A pod that is being deleted is never bound, so that its room is free.
    if (pod.metadata.deletionTimestamp !== undefined && old?.metadata.deletionTimestamp === undefined)
      release(pod, { cache, queue })
  } else if (isResponsible(pod)) {
    queue.addOrUpdate(pod)
    if (old && lostNomination(old, pod))
      queue.handleEvent({ resource: 'AssignedPod', actions: ['deleted'], object: old })
  }
}

function lostNomination(old: Pod, pod: Pod): boolean {
  const before = old.status?.nominatedNodeName
  return before !== undefined && before !== pod.status?.nominatedNodeName
}

function handleDeleted(pod: Pod, { cache, queue }: Pick<EventTargets, 'cache' | 'queue'>): void {
  const uid = pod.metadata.uid!
  const hadRoom = queue.nominated.nodeOf(uid) !== undefined || cache.nodeOf(uid) !== undefined
  queue.remove(uid)
  if (hadRoom || pod.spec.nodeName) release(pod, { cache, queue })
}

/** Frees the room of the pod, for others to use. */
function release(pod: Pod, { cache, queue }: Pick<EventTargets, 'cache' | 'queue'>): void {
  const nodeName = cache.nodeOf(pod.metadata.uid!) ?? pod.spec.nodeName
  cache.removePod(pod.metadata.uid!)
  const object = nodeName ? { ...pod, spec: { ...pod.spec, nodeName } } : pod
  queue.handleEvent({ resource: 'AssignedPod', actions: ['deleted'], object })
}
