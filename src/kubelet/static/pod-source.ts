import { mirrorKey } from '../../api/core/v1/pod/annotation-validation.js'
import type { Pod } from '../../api/core/v1/pod.js'

export const sourceAnnotation = 'kubernetes.io/config.source'

/** Of a file on this node and not of the API server: it runs as long as the file is there, and is never over by itself. */
export function isStaticPod({ metadata }: Pod): boolean {
  const source = metadata.annotations?.[sourceAnnotation]
  return source !== undefined && source !== 'api'
}

/**
 * A pod of the API server as the kubelet takes it. Anybody can write on a pod that it came from a file, and would have one that no taint
 * keeps away and that cannot be deleted. For the kubelet's own use: nobody writes this back, and the object that was given stays as it is.
 */
export function asApiServerPod(pod: Pod): Pod {
  if (!isStaticPod(pod)) return pod
  const annotations = { ...pod.metadata.annotations, [sourceAnnotation]: 'api' }
  return { ...pod, metadata: { ...pod.metadata, annotations } }
}

/** What shows a static pod in the API. */
export function isMirrorPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[mirrorKey] !== undefined
}
