import type { Container, ContainerPort } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Draft } from '../../cri/interface/message.js'
import type { PortMapping } from '../../cri/interface/sandbox-config.js'

/** The ports of all containers that stay; those without a port of the node, too: the runtime knows what to do about them. */
export function portMappings({ containers, initContainers = [] }: PodSpec): readonly Draft<PortMapping>[] {
  return [...containers, ...initContainers.filter(isSidecar)].flatMap(mappingsOf)
}

/** A port that is given twice is mapped once. */
function mappingsOf({ ports = [] }: Container): readonly Draft<PortMapping>[] {
  const byName = new Map<string, ContainerPort>()
  for (const port of ports) {
    const name = port.name || [port.protocol, port.hostIP, port.containerPort, port.hostPort].join(' ')
    if (!byName.has(name)) byName.set(name, port)
  }
  return [...byName.values()].map(({ protocol = 'TCP', containerPort, hostPort = 0, hostIP = '' }) => ({
    protocol,
    containerPort,
    hostPort,
    hostIp: hostIP,
  }))
}
