import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'

interface HostPort {
  readonly protocol: string
  readonly address: string
  readonly port: number
}

const allAddresses = '0.0.0.0'

/** Returns whether the pod uses a host port of another pod. */
export function hasPortConflict(spec: PodSpec, others: readonly Pod[]): boolean {
  const wanted = hostPorts(spec)
  if (wanted.length === 0) return false
  return others.some((other) => hostPorts(other.spec).some((taken) => wanted.some((port) => isSame(port, taken))))
}

/** Returns the host ports of containers that keep running. Init containers use theirs only for a while. */
function hostPorts({ containers, initContainers = [] }: PodSpec): readonly HostPort[] {
  return [...initContainers.filter(isSidecar), ...containers].flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort = 0 }) => hostPort > 0)
      .map(({ hostPort, protocol = 'TCP', hostIP }) => ({
        protocol,
        address: hostIP || allAddresses,
        port: hostPort!,
      })),
  )
}

/** The wildcard address conflicts with every address. */
function isSame(one: HostPort, other: HostPort): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false
  return one.address === other.address || one.address === allAddresses || other.address === allAddresses
}
