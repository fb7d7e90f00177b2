import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import { hasEnded } from '../pods/readiness.js'

/** Whether a pod has an address that can be listed. One that is asked to go is only of interest to some. */
export function hasAddress(pod: Pod, { evenGoing }: { readonly evenGoing: boolean }): boolean {
  if (hasEnded(pod)) return false
  if (!pod.status.podIP && !pod.status.podIPs?.length) return false
  return evenGoing || pod.metadata.deletionTimestamp === undefined
}

/** By which name the pod is known below that of the service, if it asks for one. */
export function hostnameIn({ metadata }: Service, pod: Pod): string | undefined {
  const isMember = pod.spec.subdomain === metadata.name && pod.metadata.namespace === metadata.namespace
  return isMember && pod.spec.hostname ? pod.spec.hostname : undefined
}

/** Whether the service has no address of its own: its name leads to the pods themselves. */
export function isHeadless({ spec }: Service): boolean {
  return !spec.clusterIP || spec.clusterIP === 'None'
}
