import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/core/v1/endpoints.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service, ServicePort } from '../../api/core/v1/service.js'
import { ipFamily } from '../../schema/values/ip-address.js'
import { isReady } from '../pods/readiness.js'
import { repack } from '../services/repack.js'
import { hasAddress, hostnameIn, targetPort } from '../services/service-pods.js'

/** The addresses and ports of the pods of a service, in canonical form. */
export function subsetsOfPods(service: Service, pods: readonly Pod[]): readonly EndpointSubset[] {
  const includeTerminating = service.spec.publishNotReadyAddresses ?? false
  const listed = pods.filter((pod) => hasAddress(pod, { includeTerminating }))
  return repack(listed.flatMap((pod) => subsetsOfPod(pod, service)))
}

function subsetsOfPod(pod: Pod, service: Service): readonly EndpointSubset[] {
  const address = addressOf(pod, service)
  if (!address) return []
  const isListedAsReady = service.spec.publishNotReadyAddresses || isReady(pod)
  const addresses = isListedAsReady ? { addresses: [address] } : { notReadyAddresses: [address] }
  const { ports = [], clusterIP } = service.spec
  if (ports.length === 0) return clusterIP === 'None' ? [addresses] : []
  return ports.flatMap((servicePort) => {
    const port = endpointPort(pod, servicePort)
    return port ? [{ ...addresses, ports: [port] }] : []
  })
}

/** Of the first IP family of the service; only EndpointSlices list the second one. */
function addressOf(pod: Pod, service: Service): EndpointAddress | undefined {
  const family = familyOf(service, pod)
  const ip = (pod.status.podIPs ?? []).map((each) => each.ip).find((each) => (ipFamily(each) ?? 4) === family)
  if (ip === undefined) return undefined
  const hostname = hostnameIn(service, pod)
  const { namespace, name, uid } = pod.metadata
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    nodeName: pod.spec.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace: namespace!, name: name!, uid: uid! },
  }
}

function familyOf({ spec }: Service, pod: Pod): 4 | 6 {
  const [first] = spec.ipFamilies ?? []
  if (first) return first === 'IPv6' ? 6 : 4
  const address = spec.clusterIP && spec.clusterIP !== 'None' ? spec.clusterIP : (pod.status.podIP ?? '')
  return ipFamily(address) ?? 4
}

function endpointPort(pod: Pod, servicePort: ServicePort): EndpointPort | undefined {
  const port = targetPort(pod, servicePort)
  if (port === undefined) return undefined
  const { name, protocol = 'TCP', appProtocol } = servicePort
  return { ...(name && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) }
}
