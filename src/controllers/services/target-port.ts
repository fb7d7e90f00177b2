import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ServicePort } from '../../api/core/v1/service.js'

/** The port of the pod that is meant, or undefined if it has none of that name. Sidecars have ports as well. */
export function targetPort({ spec }: Pod, { targetPort, protocol }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort
  const sidecars = spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? []
  for (const { ports = [] } of [...spec.containers, ...sidecars] as readonly Container[])
    for (const port of ports)
      if (port.name === targetPort && (port.protocol ?? 'TCP') === (protocol ?? 'TCP')) return port.containerPort
  return undefined
}
