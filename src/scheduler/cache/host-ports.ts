import type { PodSpec } from '../../api/core/v1/pod/spec.js'

/** A port of the node that a container has for itself. */
export interface ContainerHostPort {
  readonly protocol: string
  /** The one address of the node, or `0.0.0.0` for all of them. */
  readonly address: string
  readonly port: number
}

const allAddresses = '0.0.0.0'
const none: readonly ContainerHostPort[] = []

export function podHostPorts({ containers, initContainers = [] }: PodSpec): readonly ContainerHostPort[] {
  let found: ContainerHostPort[] | undefined
  for (const container of [...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always'), ...containers])
    for (const { hostPort = 0, protocol = 'TCP', hostIP } of container.ports ?? []) {
      if (hostPort <= 0) continue
      found ??= []
      found.push({ protocol, address: hostIP || allAddresses, port: hostPort })
    }
  return found ?? none
}

/** Both cannot be on one node: all addresses clash with each single one. */
export function portsConflict(one: ContainerHostPort, other: ContainerHostPort): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false
  return one.address === other.address || one.address === allAddresses || other.address === allAddresses
}
