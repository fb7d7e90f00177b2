import type { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { controllerOf } from '../runtime/owners.js'

/** The names of the claims that a pod refers to, whether they exist or not. */
export function* claimNamesOfPod({ metadata, spec }: Pod): Iterable<string> {
  for (const { name, persistentVolumeClaim, ephemeral } of spec.volumes ?? []) {
    if (persistentVolumeClaim) yield persistentVolumeClaim.claimName
    if (ephemeral) yield `${metadata.name}-${name}`
  }
}

/** A pod uses its claims once it is bound to a node: the kubelet starts no pod whose claim is being deleted. */
export function usesClaim(pod: Pod, { metadata: { name: claim, ...metadata } }: PersistentVolumeClaim): boolean {
  if (!pod.spec.nodeName) return false
  const isOwner = controllerOf({ metadata })?.uid === pod.metadata.uid
  return (pod.spec.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName === claim) return true
    return ephemeral && `${pod.metadata.name}-${name}` === claim && isOwner && !isShutDown(pod)
  })
}

/** The kubelet has ended the pod, or it was deleted by force: only finalizers keep the object. */
function isShutDown({ metadata: { deletionTimestamp, deletionGracePeriodSeconds } }: Pod): boolean {
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0
}
