import type { PodSpec } from '../../api/core/v1/pod/spec.js'

/** A port of the node that a container has for itself. */
export interface HostPort {
  readonly protocol: string
  /** The one address of the node, or `0.0.0.0` for all of them. */
  readonly address: string
  readonly port: number
}

const allAddresses = '0.0.0.0'
const none: readonly HostPort[] = []

export function hostPortsOf({ containers, initContainers = [] }: PodSpec): readonly HostPort[] {
  let found: HostPort[] | undefined
  for (const container of [...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always'), ...containers])
    for (const { hostPort = 0, protocol = 'TCP', hostIP } of container.ports ?? []) {
      if (hostPort <= 0) continue
      found ??= []
      found.push({ protocol, address: hostIP || allAddresses, port: hostPort })
    }
  return found ?? none
}

/** Both cannot be on one node: all addresses clash with each single one. */
export function clash(one: HostPort, other: HostPort): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false
  return one.address === other.address || one.address === allAddresses || other.address === allAddresses
}
