import { hostname, networkInterfaces } from 'node:os'
import { ipText, networkOf, parseCidr } from '../../schema/values/ip-address.js'

/** Under which names and addresses a server is reached: by those inside the cluster, on this machine, and elsewhere. */
export function servingHosts(clusterIpRanges: readonly string[], advertised: readonly string[]): string[] {
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local']
  const local = ['localhost', '127.0.0.1', '::1']
  const serviceAddresses = clusterIpRanges.map(firstAddress)
  const machine = [hostname().toLowerCase(), ...hostAddresses()]
  return [...new Set([...service, ...local, ...serviceAddresses, ...advertised, ...machine])]
}

/** Under which others reach this machine; its own first. */
export function hostAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) => some.filter(({ internal }) => !internal))
  // Those that are only good for one link cannot be told to anybody.
  const reachable = addresses.filter(({ scopeid }) => scopeid === undefined || scopeid === 0)
  return reachable.sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address)
}

/** The address of the service `kubernetes`: the first one behind the network's own. */
export function firstAddress(range: string): string {
  const cidr = parseCidr(range)
  if (!cidr) throw new Error(`${range} is no range of addresses; it should be like 10.96.0.0/16`)
  const network = networkOf(cidr)
  const bytes = [...network.bytes]
  bytes[bytes.length - 1]! += 1
  return ipText({ ...network, bytes })
}

/** Every address of the machine is meant. */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}
