import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isPodResource } from '../../api/core/v1/resource-requirements/resource-names.js'
import { Quantity } from '../../schema/values/quantity.js'
import {
  addResources,
  type ComputeResources,
  isCountedByName,
  maxResources,
  type NonZeroResources,
  noResources,
  parseResources,
  parseWholeQuantity,
} from './resources.js'

/** Upstream's defaults for containers without a request. Only scores use them. */
const defaultMilliCpu = 100
const defaultMemory = 200 * 1024 * 1024

/** What the pod takes of its node. */
export function podResourceRequests(pod: Pod): ComputeResources {
  return totalRequests(pod, (container) => containerRequests(container, pod))
}

/** The same with defaults for containers without requests, unless the pod as a whole has a request. */
export function nonZeroPodRequests(pod: Pod, requests: ComputeResources): NonZeroResources {
  const { milliCpu, memory } = totalRequests(pod, (container) => {
    const given = container.resources?.requests
    const known = containerRequests(container, pod)
    return {
      ...known,
      milliCpu: given?.cpu === undefined ? defaultMilliCpu : known.milliCpu,
      memory: given?.memory === undefined ? defaultMemory : known.memory,
    }
  })
  const podLevel = pod.spec.resources?.requests
  return {
    milliCpu: podLevel?.cpu === undefined ? milliCpu : requests.milliCpu,
    memory: podLevel?.memory === undefined ? memory : requests.memory,
  }
}

/**
 * Containers and sidecars run at the same time. An init container runs alone with the sidecars that were started before it. Requests of the
 * pod as a whole replace the sum of its containers. The overhead of the pod is added.
 */
function totalRequests({ spec }: Pod, requests: (container: Container) => ComputeResources): ComputeResources {
  let containers = noResources
  for (const container of spec.containers) containers = addResources(containers, requests(container))
  let sidecars = noResources
  let initPeak = noResources
  for (const container of spec.initContainers ?? []) {
    const own = requests(container)
    initPeak = maxResources(initPeak, addResources(sidecars, own))
    if (container.restartPolicy === 'Always') sidecars = addResources(sidecars, own)
  }
  const ofContainers = maxResources(addResources(containers, sidecars), initPeak)
  const podLevel = spec.resources?.requests
  const total = podLevel ? withPodLevelRequests(ofContainers, podLevel) : ofContainers
  return spec.overhead ? addResources(total, parseResources(spec.overhead)) : total
}

function withPodLevelRequests(
  resources: ComputeResources,
  podLevel: Readonly<Record<string, string>>,
): ComputeResources {
  const extended = new Map(resources.extended)
  for (const name in podLevel)
    if (isPodResource(name) && isCountedByName(name)) extended.set(name, parseWholeQuantity(podLevel[name]))
  const { cpu, memory } = podLevel
  return {
    ...resources,
    milliCpu: cpu === undefined ? resources.milliCpu : Quantity.parse(cpu).milliValue(),
    memory: memory === undefined ? resources.memory : parseWholeQuantity(memory),
    extended,
  }
}

/** During a resize the container may still have its old resources: the maximum of requested, allocated and actual counts. */
function containerRequests({ name, resources }: Container, pod: Pod): ComputeResources {
  const requested = parseResources(resources?.requests)
  const status = containerStatus(name, pod)
  if (!status?.resources?.requests && !status?.allocatedResources) return requested
  // An infeasible resize never happens: the container keeps what it has.
  const isInfeasible = pod.status.conditions?.some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  )
  const current = maxResources(parseResources(status.resources?.requests), parseResources(status.allocatedResources))
  return isInfeasible ? current : maxResources(requested, current)
}

function containerStatus(name: string, { status }: Pod): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {}
  const hasName = (each: ContainerStatus) => each.name === name
  return containerStatuses.find(hasName) ?? initContainerStatuses.find(hasName)
}
