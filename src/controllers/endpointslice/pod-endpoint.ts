import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import type { AddressType, Endpoint, EndpointPort } from '../../api/discovery/v1/endpoint-slice.js'
import { ipFamily } from '../../schema/values/ip-address.js'
import { isReady } from '../pods/readiness.js'
import { hostnameIn, targetPort } from '../services/service-pods.js'

export const zoneLabel = 'topology.kubernetes.io/zone'

export interface EndpointContext {
  readonly service: Service
  readonly addressType: AddressType
  /** Undefined if it does not exist. */
  readonly node: Node | undefined
}

/** The endpoint of a pod; undefined if it has no address of this type. */
export function podEndpoint(pod: Pod, { service, addressType, node }: EndpointContext): Endpoint | undefined {
  const addresses = addressesOf(pod, addressType)
  if (addresses.length === 0) return undefined
  const hostname = hostnameIn(service, pod)
  const zone = node?.metadata.labels?.[zoneLabel]
  const { namespace, name, uid } = pod.metadata
  return {
    addresses,
    conditions: endpointConditions(pod, service),
    ...(hostname !== undefined && { hostname }),
    targetRef: { kind: 'Pod', namespace: namespace!, name: name!, uid: uid! },
    ...(pod.spec.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
  }
}

/** A terminating pod is never ready, though it may be serving, unless the service publishes addresses that are not ready. */
function endpointConditions(pod: Pod, { spec }: Service): NonNullable<Endpoint['conditions']> {
  const serving = isReady(pod)
  const terminating = pod.metadata.deletionTimestamp !== undefined
  return { ready: (spec.publishNotReadyAddresses ?? false) || (serving && !terminating), serving, terminating }
}

function addressesOf({ status }: Pod, addressType: AddressType): readonly string[] {
  const family = addressType === 'IPv6' ? 6 : 4
  return (status.podIPs ?? []).map(({ ip }) => ip).filter((ip) => (ipFamily(ip) ?? 4) === family)
}

/** The ports of the service that the pod has. */
export function endpointPorts(pod: Pod, { spec }: Service): readonly EndpointPort[] {
  return (spec.ports ?? []).flatMap((servicePort) => {
    const port = targetPort(pod, servicePort)
    if (port === undefined) return []
    const { name = '', protocol, appProtocol } = servicePort
    return [{ name, protocol: protocol ?? 'TCP', port, ...(appProtocol !== undefined && { appProtocol }) }]
  })
}

/** The address types of a service. */
export function addressTypesOf({ spec }: Service): readonly AddressType[] {
  const families = new Set((spec.ipFamilies ?? []).filter((family) => family === 'IPv4' || family === 'IPv6'))
  if (families.size > 0) return [...families]
  if (!spec.clusterIP || spec.clusterIP === 'None') return ['IPv4', 'IPv6']
  return [ipFamily(spec.clusterIP) === 6 ? 'IPv6' : 'IPv4']
}
