import { mirrorKey } from '../../api/core/v1/pod/annotation-validation.js'
import type { Pod } from '../../api/core/v1/pod.js'

export const sourceAnnotation = 'kubernetes.io/config.source'

/** Returns whether a pod comes from a file on this node. It runs as long as the file exists. */
export function isStaticPod({ metadata }: Pod): boolean {
  const source = metadata.annotations?.[sourceAnnotation]
  return source !== undefined && source !== 'api'
}

/**
 * Returns a pod from the API server with its source annotation corrected. Otherwise a user could write that it came from a file, and get a
 * pod that ignores taints and cannot be deleted. The result is never written back.
 */
export function asApiServerPod(pod: Pod): Pod {
  if (!isStaticPod(pod)) return pod
  const annotations = { ...pod.metadata.annotations, [sourceAnnotation]: 'api' }
  return { ...pod, metadata: { ...pod.metadata, annotations } }
}

/** Returns whether a pod is the representation of a static pod in the API. */
export function isMirrorPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[mirrorKey] !== undefined
}
