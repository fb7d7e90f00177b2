/** What follows from the type of a service: which of its fields have a meaning at all. */
import type { Service, ServiceSpec } from '../service.js'

/** Nothing that names what is behind it needs an address of its own. */
export function needsClusterIp({ spec }: Service): boolean {
  return spec.type !== 'ExternalName'
}

export function needsNodePorts({ spec }: Service): boolean {
  return isReachedThroughNodes(spec)
}

/** A load balancer must learn which nodes have endpoints, if only those may be sent traffic. */
export function needsHealthCheckPort({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
}

/** Whether node ports are given to those ports that ask for none. */
export function wantsNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)
}

function isReachedThroughNodes({ type }: Pick<ServiceSpec, 'type'>): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

export function isExternallyAccessible(spec: Pick<ServiceSpec, 'type' | 'externalIPs'>): boolean {
  return isReachedThroughNodes(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
}

/** What stands in place of an address when there is to be none. */
export const noClusterIp = 'None'

/** Clients find the pods themselves. */
export function isDeclaredHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === noClusterIp
}
