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
import { nodeUpdateActions } from './node-changes.js'
import { podUpdateActions } from './queue/pod-changes.js'
import type { SchedulingQueue } from './queue/scheduling-queue.js'

/** Pods that have ended need no place. */
export const unfinishedPods = { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' }

/** Of these plugins only want to know what happens to them. */
const furtherKinds = { Namespace, PersistentVolume, PersistentVolumeClaim, StorageClass, CSINode } as const

/** What is told: the cache where pods are, and the queue what happens. */
export interface EventTargets {
  readonly cache: ClusterCache
  readonly queue: SchedulingQueue
  /** Whether a pod asks for one of the profiles of this scheduler. */
  readonly isMine: (pod: Pod) => boolean
}

/** Tells everything that there is, then everything that happens. */
export function registerEventHandlers(informers: Informers, audience: EventTargets): void {
  informers.of(Node).onChange((change) => takeNode(change, audience))
  informers.of(Pod, unfinishedPods).onChange((change) => takePod(change, audience))
  for (const resource of audience.queue.hints.resources)
    if (Object.hasOwn(furtherKinds, resource)) watchFurther(resource as keyof typeof furtherKinds, informers, audience)
}

function watchFurther(resource: keyof typeof furtherKinds, informers: Informers, { queue }: EventTargets): void {
  const informer: Informer = informers.of(furtherKinds[resource] as typeof Namespace)
  informer.onChange(({ type, object, old }) =>
    queue.handleEvent(eventOf(resource, type, { object: object as Namespace, old: old as Namespace | undefined })),
  )
}

function takeNode({ type, object, old }: Change<Node>, { cache, queue }: EventTargets): void {
  if (type === 'deleted') cache.removeNode(object.metadata.name!)
  else cache.putNode(object)
  const actions = type === 'updated' ? nodeUpdateActions(old!, object) : [type]
  if (actions.length > 0) queue.handleEvent({ resource: 'Node', actions, object, ...(old && { old }) })
}

function takePod(change: Change<Pod>, audience: EventTargets): void {
  const { type, object, old } = change
  // Between two looks one pod may have made way for another of the same name.
  if (old && old.metadata.uid !== object.metadata.uid) {
    takePod({ type: 'deleted', object: old }, audience)
    takePod({ type: 'added', object }, audience)
  } else if (type === 'deleted') removePod(object, audience)
  else if (object.spec.nodeName) takeAssigned(object, old, audience)
  else takeWaiting(object, old, audience)
}

function takeAssigned(pod: Pod, old: Pod | undefined, { cache, queue }: EventTargets): void {
  queue.remove(pod.metadata.uid!)
  cache.putPod(pod)
  const isNew = !old?.spec.nodeName
  const actions: readonly EventAction[] = isNew ? ['added'] : podUpdateActions(old, pod)
  if (actions.length > 0) queue.handleEvent({ resource: 'AssignedPod', actions, object: pod, ...(!isNew && { old }) })
}

function takeWaiting(pod: Pod, old: Pod | undefined, { cache, queue, isMine }: EventTargets): void {
  const uid = pod.metadata.uid!
  if (cache.isAssumed(uid)) {
    // It will never be bound, so that the room for it is free.
    if (pod.metadata.deletionTimestamp !== undefined && old?.metadata.deletionTimestamp === undefined)
      release(pod, { cache, queue })
  } else if (isMine(pod)) {
    queue.addOrUpdate(pod)
    if (old && hasGivenUpRoom(old, pod))
      queue.handleEvent({ resource: 'AssignedPod', actions: ['deleted'], object: old })
  }
}

/** Room was kept for it elsewhere, and is not any more. */
function hasGivenUpRoom(old: Pod, pod: Pod): boolean {
  const before = old.status?.nominatedNodeName
  return before !== undefined && before !== pod.status?.nominatedNodeName
}

function removePod(pod: Pod, { cache, queue }: Pick<EventTargets, 'cache' | 'queue'>): void {
  const uid = pod.metadata.uid!
  const hadRoom = queue.nominated.nodeOf(uid) !== undefined || cache.nodeOf(uid) !== undefined
  queue.remove(uid)
  if (hadRoom || pod.spec.nodeName) release(pod, { cache, queue })
}

function release(pod: Pod, { cache, queue }: Pick<EventTargets, 'cache' | 'queue'>): void {
  const nodeName = cache.nodeOf(pod.metadata.uid!) ?? pod.spec.nodeName
  cache.removePod(pod.metadata.uid!)
  const object = nodeName ? { ...pod, spec: { ...pod.spec, nodeName } } : pod
  queue.handleEvent({ resource: 'AssignedPod', actions: ['deleted'], object })
}

function eventOf(
  resource: EventResource,
  type: Change<unknown>['type'],
  { object, old }: { readonly object: Namespace; readonly old: Namespace | undefined },
): ClusterEvent {
  return { resource, actions: [type], object, ...(old && { old }) } as ClusterEvent
}
