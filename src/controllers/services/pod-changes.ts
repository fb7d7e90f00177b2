import type { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { hasEnded, isReady } from '../pods/readiness.js'
import { servicesChoosing } from './selection.js'

/** The services whose address lists may change with a pod: those that choose it, and those that did. */
export function* concernsServices({ type, object, old }: Change<Pod>, informers: SharedInformers): Iterable<string> {
  const { namespace = '', labels = {} } = object.metadata
  if (type !== 'updated' || !old) {
    yield* servicesChoosing(informers, namespace, labels)
    return
  }
  const choosesOthers = !isSame(labels, old.metadata.labels ?? {})
  if (!choosesOthers && !isOtherAddress(object, old)) return
  yield* servicesChoosing(informers, namespace, labels)
  if (choosesOthers) yield* servicesChoosing(informers, namespace, old.metadata.labels ?? {})
}

/** Whether any of that changed which is told of a pod. */
function isOtherAddress(pod: Pod, old: Pod): boolean {
  return (
    pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    isReady(pod) !== isReady(old) ||
    hasEnded(pod) !== hasEnded(old) ||
    !isSame(pod.status.podIPs ?? [], old.status.podIPs ?? []) ||
    pod.spec.nodeName !== old.spec.nodeName ||
    pod.spec.hostname !== old.spec.hostname ||
    pod.spec.subdomain !== old.spec.subdomain
  )
}
