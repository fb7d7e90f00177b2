/** Resources in the status of a pod as a whole. */

import { podTotals } from '../../api/core/v1/pod/resources.js'
import type { PodPhase, PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ResourceRequirements } from '../../api/core/v1/resource-requirements.js'
import type { Quantity } from '../../schema/values/quantity.js'
import { leastMilliCpuLimit, leastMilliCpuRequest } from './container-resources.js'

type Amounts = ReadonlyMap<string, Quantity>

export function podLevelResources(pod: Pod, phase: PodPhase): Pick<PodStatus, 'resources' | 'allocatedResources'> {
  const requests = podTotals(pod.spec, 'requests')
  const limits = podTotals(pod.spec, 'limits')
  return {
    ...(requests.size > 0 && { allocatedResources: quantities(requests) }),
    resources:
      phase === 'Running'
        ? enforced(pod, requests, limits)
        : { ...resourceList('limits', limits), ...resourceList('requests', requests) },
  }
}

/**
 * While a pod runs, reports what its cgroup enforces: only CPU and memory, limits only if every container has one, and no amounts below the
 * kernel's resolution.
 */
function enforced({ spec }: Pod, requests: Amounts, limits: Amounts): ResourceRequirements {
  const own = spec.resources ?? {}
  const isEnforced = (name: string) =>
    own.limits?.[name] !== undefined ||
    spec.containers.every(({ resources }) => resources?.limits?.[name] !== undefined)
  const isReported = (name: string, amount: Quantity, least: number) =>
    name === 'memory' || (name === 'cpu' && amount.milliValue() > least)
  return {
    ...own,
    ...resourceList(
      'limits',
      limits,
      (name, amount) =>
        own.limits?.[name] !== undefined || (isEnforced(name) && isReported(name, amount, leastMilliCpuLimit)),
    ),
    ...resourceList(
      'requests',
      requests,
      (name, amount) => own.requests?.[name] !== undefined || isReported(name, amount, leastMilliCpuRequest),
    ),
  }
}

function resourceList(
  which: 'limits' | 'requests',
  amounts: Amounts,
  isIncluded: (name: string, amount: Quantity) => boolean = () => true,
): ResourceRequirements {
  const included = new Map([...amounts].filter(([name, amount]) => isIncluded(name, amount)))
  return included.size === 0 ? {} : { [which]: quantities(included) }
}

function quantities(amounts: Amounts): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]))
}
