/** Resources in a container's status: the requested ones, overridden by what the runtime reports. */

import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import type { ResourceRequirements } from '../../api/core/v1/resource-requirements.js'
import type { LinuxContainerResources } from '../../cri/interface/resources.js'
import { Quantity } from '../../schema/values/quantity.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'

/** Millicores. Smaller values are lost in the kernel's rounding. */
export const leastMilliCpuRequest = 2
export const leastMilliCpuLimit = 10

type Amounts = Readonly<Record<string, string>>

export function containerResourceStatus(
  { resources = {} }: Container,
  observed: ObservedContainer,
  previous: ContainerStatus | undefined,
): Pick<ContainerStatus, 'resources' | 'allocatedResources'> {
  const { requests } = resources
  return {
    ...(requests && Object.keys(requests).length > 0 && { allocatedResources: requests }),
    resources: observed.state === 'running' ? givenResources(resources, observed, previous) : resources,
  }
}

function givenResources(
  requested: ResourceRequirements,
  { id, resources }: ObservedContainer,
  previous: ContainerStatus | undefined,
): ResourceRequirements {
  const { limits, requests } = requested
  const linux = resources?.linux
  const before = previous?.state?.running && previous.containerID?.endsWith(`//${id}`) ? previous.resources : undefined
  return {
    ...requested,
    ...(limits && {
      limits: override(limits, { ...previouslyReported(before?.limits, limits), ...limitsIn(limits, linux) }),
    }),
    ...(requests && {
      requests: override(requests, {
        ...previouslyReported(before?.requests, requests),
        ...requestsIn(requests, linux),
      }),
    }),
  }
}

function override(requested: Amounts, real: Amounts): Amounts {
  return { ...requested, ...real }
}

/** Keeps the previously reported values if the runtime reports none. Only CPU and memory of a running container can change. */
function previouslyReported(before: Amounts | undefined, requested: Amounts): Amounts {
  const reported: Record<string, string> = {}
  for (const name of ['cpu', 'memory']) if (before?.[name] && requested[name]) reported[name] = before[name]
  return reported
}

function limitsIn(requested: Amounts, linux: LinuxContainerResources | undefined): Amounts {
  if (!linux) return {}
  const milliCpu = linux.cpuPeriod > 0 ? Math.floor((linux.cpuQuota * 1000) / linux.cpuPeriod) : 0
  const reportsCpu = milliCpu > leastMilliCpuLimit || (milliCpu > 0 && milli(requested.cpu) > leastMilliCpuLimit)
  const memory = linux.memoryLimitInBytes
  return {
    ...(reportsCpu && { cpu: Quantity.milli(milliCpu).toString() }),
    ...(memory > 0 && { memory: Quantity.of(memory, 'BinarySI').toString() }),
  }
}

function requestsIn(requested: Amounts, linux: LinuxContainerResources | undefined): Amounts {
  const milliCpu = linux ? Math.ceil((linux.cpuShares * 1000) / 1024) : 0
  const isReported = milliCpu > leastMilliCpuRequest || (milliCpu > 0 && milli(requested.cpu) > leastMilliCpuRequest)
  return isReported ? { cpu: Quantity.milli(milliCpu).toString() } : {}
}

function milli(text: string | undefined): number {
  return text === undefined ? 0 : Quantity.parse(text).milliValue()
}
