import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { Service, type ServicePort } from '../../api/core/v1/service.js'
import { isSame } from '../../api/validation/immutability.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { podsMatching } from '../pods/pod-indexes.js'
import { hasEnded, isReady } from '../pods/readiness.js'
import { compiledLabels } from '../pods/selectors.js'

type Labels = Readonly<Record<string, string>>

const bySelector = 'first label of the selector'

/** Whether its endpoints are managed here: it has a selector, and is not only an alias of a name elsewhere. */
export function selectsPods({ spec }: Service): boolean {
  return spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0
}

export function podsOfService(service: Service, informers: SharedInformers): readonly Pod[] {
  const selector = compiledLabels(service.spec.selector)
  return [...podsMatching(informers, service.metadata.namespace!, selector)]
}

/** The keys of the services that select these labels. */
export function* servicesSelecting(informers: SharedInformers, namespace: string, labels: Labels): Iterable<string> {
  const services = informers.of(Service)
  services.addIndex(bySelector, ({ metadata, spec }) => {
    const [first] = Object.entries(spec.selector ?? {})
    return first ? [indexKey(metadata.namespace!, ...first)] : []
  })
  for (const [key, value] of Object.entries(labels))
    for (const service of services.by(bySelector, indexKey(namespace, key, value)))
      if (compiledLabels(service.spec.selector).matches(labels)) yield keyOf(service)
}

function indexKey(namespace: string, key: string, value: string): string {
  return `${namespace}/${key}=${value}`
}

/** The services whose endpoints may change with a pod: those that select it, and those that selected it before. */
export function* servicesOfPod({ type, object, old }: Change<Pod>, informers: SharedInformers): Iterable<string> {
  const { namespace = '', labels = {} } = object.metadata
  if (type !== 'updated' || !old) {
    yield* servicesSelecting(informers, namespace, labels)
    return
  }
  const hasOtherLabels = !isSame(labels, old.metadata.labels ?? {})
  if (!hasOtherLabels && !hasOtherEndpoint(object, old)) return
  yield* servicesSelecting(informers, namespace, labels)
  if (hasOtherLabels) yield* servicesSelecting(informers, namespace, old.metadata.labels ?? {})
}

function hasOtherEndpoint(pod: Pod, old: Pod): boolean {
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

/** Whether a pod has an address that can be listed. `includeTerminating`: also while the pod is being deleted. */
export function hasAddress(pod: Pod, { includeTerminating }: { readonly includeTerminating: boolean }): boolean {
  if (hasEnded(pod)) return false
  if (!pod.status.podIP && !pod.status.podIPs?.length) return false
  return includeTerminating || pod.metadata.deletionTimestamp === undefined
}

/** The name of the pod in the DNS zone of the service, if it asks for one. */
export function hostnameIn({ metadata }: Service, pod: Pod): string | undefined {
  const isMember = pod.spec.subdomain === metadata.name && pod.metadata.namespace === metadata.namespace
  return isMember && pod.spec.hostname ? pod.spec.hostname : undefined
}

/** Whether the service has no address of its own: its name resolves to the addresses of its pods. */
export function isHeadless({ spec }: Service): boolean {
  return !spec.clusterIP || spec.clusterIP === 'None'
}

/** The port of the pod, or undefined if it has none of that name. Sidecars have ports as well. */
export function targetPort({ spec }: Pod, { targetPort, protocol }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort
  const sidecars = spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? []
  for (const { ports = [] } of [...spec.containers, ...sidecars] as readonly Container[])
    for (const port of ports)
      if (port.name === targetPort && (port.protocol ?? 'TCP') === (protocol ?? 'TCP')) return port.containerPort
  return undefined
}
