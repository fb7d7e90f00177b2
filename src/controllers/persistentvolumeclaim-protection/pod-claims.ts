import type { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { controllerOf } from '../runtime/owners.js'

/** The names of the claims that a pod refers to, whether they are there or not. */
export function* claimNames({ metadata, spec }: Pod): Iterable<string> {
  for (const { name, persistentVolumeClaim, ephemeral } of spec.volumes ?? []) {
    if (persistentVolumeClaim) yield persistentVolumeClaim.claimName
    if (ephemeral) yield `${metadata.name}-${name}`
  }
}

/** A pod uses its claims from when it is on a node: the kubelet begins no pod whose claim is about to go. */
export function uses(pod: Pod, { metadata: { name: claim, ...metadata } }: PersistentVolumeClaim): boolean {
  if (!pod.spec.nodeName) return false
  const isItsOwn = controllerOf({ metadata })?.uid === pod.metadata.uid
  return (pod.spec.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName === claim) return true
    return ephemeral && `${pod.metadata.name}-${name}` === claim && isItsOwn && !isShutDown(pod)
  })
}

/** The kubelet has let go of it, or somebody did not want to wait for that: only finalizers still hold it. */
function isShutDown({ metadata: { deletionTimestamp, deletionGracePeriodSeconds } }: Pod): boolean {
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0
}
