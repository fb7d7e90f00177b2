import { hostname, networkInterfaces } from 'node:os'
import { ipText, networkOf, parseCidr } from '../../schema/values/ip-address.js'

/** Returns the names and addresses of the server: in the cluster, on this host, and from outside. */
export function servingHosts(clusterIpRanges: readonly string[], advertised: readonly string[]): string[] {
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local']
  const local = ['localhost', '127.0.0.1', '::1']
  const serviceAddresses = clusterIpRanges.map(firstAddress)
  const host = [hostname().toLowerCase(), ...hostAddresses()]
  return [...new Set([...service, ...local, ...serviceAddresses, ...advertised, ...host])]
}

/** Returns the addresses of this host, IPv4 first. */
export function hostAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) => some.filter(({ internal }) => !internal))
  // Link-local addresses are of no use to other hosts.
  const reachable = addresses.filter(({ scopeid }) => scopeid === undefined || scopeid === 0)
  return reachable.sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address)
}

/** Returns the address of the service `kubernetes`: the first of the range after the network address. */
export function firstAddress(range: string): string {
  const cidr = parseCidr(range)
  if (!cidr) throw new Error(`${range} is not a range of addresses such as 10.96.0.0/16`)
  const network = networkOf(cidr)
  const bytes = [...network.bytes]
  bytes[bytes.length - 1]! += 1
  return ipText({ ...network, bytes })
}

/** Reports whether the address stands for all addresses of the host. */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}
