/** Which fields a service uses, depending on its type. */
import type { Service, ServiceSpec } from '../service.js'

/** Whether the service has a cluster IP: every type but `ExternalName`. */
export function needsClusterIp({ spec }: Service): boolean {
  return spec.type !== 'ExternalName'
}

export function needsNodePorts({ spec }: Service): boolean {
  return isReachedThroughNodes(spec)
}

/** Whether a load balancer needs to know which nodes have endpoints, because only those may receive traffic. */
export function needsHealthCheckPort({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
}

/** Whether node ports are allocated for ports without one. */
export function wantsNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)
}

function isReachedThroughNodes({ type }: Pick<ServiceSpec, 'type'>): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

export function isExternallyAccessible(spec: Pick<ServiceSpec, 'type' | 'externalIPs'>): boolean {
  return isReachedThroughNodes(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
}

/** The value of `clusterIP` for a headless service. */
export const noClusterIp = 'None'

/** Whether the spec declares a headless service, whose clients look up the pods themselves. */
export function isDeclaredHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === noClusterIp
}
