import type { Pod } from '../../api/core/v1/pod.js'

/** The one user whom all containers of a pod run as, by the pod's own words; undefined if there are several, or the image decides. */
export function fileUser({ spec }: Pod): number | undefined {
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  const users = new Set(
    containers.map(({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser),
  )
  return users.size === 1 ? [...users][0] : undefined
}
