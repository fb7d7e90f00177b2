import { ipFamily } from '../../schema/values/ip-address.js'
import { AddressRange } from '../registry/services/address-range.js'

/** The addresses of the API server, inside and outside the cluster. */
export interface ServerAddress {
  readonly address: string
  readonly port: number
  /** Ranges of service addresses, in CIDR form. The first address of the first range is the server's. */
  readonly clusterIpRanges: readonly string[]
}

const name = 'kubernetes'
const namespace = 'default'

/** Returns the service `kubernetes`, by which pods connect to the API server. */
export function kubernetesService({ port, clusterIpRanges }: ServerAddress): object {
  const range = new AddressRange(clusterIpRanges[0]!)
  const clusterIP = range.at(0n)
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: [range.family],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }],
    },
    status: { loadBalancer: {} },
  }
}

/** Returns the `ServiceCIDR` object of the configured ranges. */
export function defaultServiceCidr({ clusterIpRanges }: ServerAddress, time: string): object {
  const message = 'Kubernetes default Service CIDR is ready'
  return {
    kind: 'ServiceCIDR',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name },
    spec: { cidrs: clusterIpRanges.map((cidr) => new AddressRange(cidr).text) },
    status: { conditions: [{ type: 'Ready', status: 'True', reason: '', message, lastTransitionTime: time }] },
  }
}

export function kubernetesEndpoints(addresses: readonly string[], port: number): object {
  return {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name, namespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: [{ name: 'https', port, protocol: 'TCP' }] }],
  }
}

export function kubernetesSlice(addresses: readonly string[], port: number): object {
  return {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: ipFamily(addresses[0]!) === 6 ? 'IPv6' : 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  }
}
