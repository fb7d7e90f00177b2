import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isPodResource } from '../../api/core/v1/resource-requirements/resource-names.js'
import { Quantity } from '../../schema/values/quantity.js'
import {
  addResources,
  isCountedByName,
  maxResources,
  type NonZeroResources,
  noResources,
  parseResources,
  parseWholeQuantity,
  type ResourceAmounts,
} from './resources.js'

/** Upstream's: what a container is taken to need that does not say it, where nodes are compared. */
const usualMilliCpu = 100
const usualMemory = 200 * 1024 * 1024

/** What the scheduler sets aside for a pod. */
export function podResourceRequests(pod: Pod): ResourceAmounts {
  return totalOf(pod, (container) => containerRequests(container, pod))
}

/** The same where each container that says nothing is taken to need a little, unless the pod speaks for all of them. */
export function nonZeroPodRequests(pod: Pod, requests: ResourceAmounts): NonZeroResources {
  const { milliCpu, memory } = totalOf(pod, (container) => {
    const asked = container.resources?.requests
    const known = containerRequests(container, pod)
    return {
      ...known,
      milliCpu: asked?.cpu === undefined ? usualMilliCpu : known.milliCpu,
      memory: asked?.memory === undefined ? usualMemory : known.memory,
    }
  })
  const whole = pod.spec.resources?.requests
  return {
    milliCpu: whole?.cpu === undefined ? milliCpu : requests.milliCpu,
    memory: whole?.memory === undefined ? memory : requests.memory,
  }
}

/**
 * Ordinary containers and sidecars run at the same time; an init container runs alone, beside the sidecars that were started before it.
 * What is asked for the pod as a whole counts in place of what its containers ask for; what it costs to have a pod at all is added.
 */
function totalOf({ spec }: Pod, requests: (container: Container) => ResourceAmounts): ResourceAmounts {
  let together = noResources
  for (const container of spec.containers) together = addResources(together, requests(container))
  let sidecars = noResources
  let peak = noResources
  for (const container of spec.initContainers ?? []) {
    const own = requests(container)
    peak = maxResources(peak, addResources(sidecars, own))
    if (container.restartPolicy === 'Always') sidecars = addResources(sidecars, own)
  }
  const ofContainers = maxResources(addResources(together, sidecars), peak)
  const whole = spec.resources?.requests
  const total = whole ? replaced(ofContainers, whole) : ofContainers
  return spec.overhead ? addResources(total, parseResources(spec.overhead)) : total
}

function replaced(resources: ResourceAmounts, whole: Readonly<Record<string, string>>): ResourceAmounts {
  const extended = new Map(resources.extended)
  for (const name in whole)
    if (isPodResource(name) && isCountedByName(name)) extended.set(name, parseWholeQuantity(whole[name]))
  const { cpu, memory } = whole
  return {
    ...resources,
    milliCpu: cpu === undefined ? resources.milliCpu : Quantity.parse(cpu).milliValue(),
    memory: memory === undefined ? resources.memory : parseWholeQuantity(memory),
    extended,
  }
}

/** While a container is being resized, it may still have what it had: then the most of what is asked for, granted and used counts. */
function containerRequests({ name, resources }: Container, pod: Pod): ResourceAmounts {
  const asked = parseResources(resources?.requests)
  const status = statusOf(name, pod)
  if (!status?.resources?.requests && !status?.allocatedResources) return asked
  // What cannot be granted will not be given: the pod keeps what it has.
  const isInfeasible = pod.status.conditions?.some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  )
  const held = maxResources(parseResources(status.resources?.requests), parseResources(status.allocatedResources))
  return isInfeasible ? held : maxResources(asked, held)
}

function statusOf(name: string, { status }: Pod): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {}
  const isMeant = (each: ContainerStatus) => each.name === name
  return containerStatuses.find(isMeant) ?? initContainerStatuses.find(isMeant)
}
