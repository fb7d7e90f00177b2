import type { Pod } from '../../api/core/v1/pod.js'

const sourceAnnotation = 'kubernetes.io/config.source'
const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** Of a file on this node and not of the API server: it runs as long as the file is there, and is never over by itself. */
export function isStaticPod({ metadata }: Pod): boolean {
  const source = metadata.annotations?.[sourceAnnotation]
  return source !== undefined && source !== 'api'
}

/** What shows a static pod in the API. */
export function isMirrorPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined
}
