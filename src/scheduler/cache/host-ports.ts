import type { PodSpec } from '../../api/core/v1/pod/spec.js'

/** A port of the node that a container uses. */
export interface ContainerHostPort {
  readonly protocol: string
  /** One address of the node, or `0.0.0.0` for all. */
  readonly address: string
  readonly port: number
}

const allAddresses = '0.0.0.0'
const none: readonly ContainerHostPort[] = []

export function podHostPorts({ containers, initContainers = [] }: PodSpec): readonly ContainerHostPort[] {
  let found: ContainerHostPort[] | undefined
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')
  for (const container of [...sidecars, ...containers])
    for (const { hostPort = 0, protocol = 'TCP', hostIP } of container.ports ?? []) {
      if (hostPort <= 0) continue
      found ??= []
      found.push({ protocol, address: hostIP || allAddresses, port: hostPort })
    }
  return found ?? none
}

/** Whether both cannot be on one node. A port on all addresses conflicts with the same port on any address. */
export function portsConflict(one: ContainerHostPort, other: ContainerHostPort): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false
  return one.address === other.address || one.address === allAddresses || other.address === allAddresses
}
