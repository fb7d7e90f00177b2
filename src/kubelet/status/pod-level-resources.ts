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
    ...(requests.size > 0 && { allocatedResources: written(requests) }),
    resources:
      phase === 'Running'
        ? enforced(pod, requests, limits)
        : { ...part('limits', limits), ...part('requests', requests) },
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
  const tells = (name: string, amount: Quantity, least: number) =>
    name === 'memory' || (name === 'cpu' && amount.milliValue() > least)
  return {
    ...own,
    ...part(
      'limits',
      limits,
      (name, amount) =>
        own.limits?.[name] !== undefined || (isEnforced(name) && tells(name, amount, leastMilliCpuLimit)),
    ),
    ...part(
      'requests',
      requests,
      (name, amount) => own.requests?.[name] !== undefined || tells(name, amount, leastMilliCpuRequest),
    ),
  }
}

function part(
  which: 'limits' | 'requests',
  amounts: Amounts,
  isTold: (name: string, amount: Quantity) => boolean = () => true,
): ResourceRequirements {
  const told = new Map([...amounts].filter(([name, amount]) => isTold(name, amount)))
  return told.size === 0 ? {} : { [which]: written(told) }
}

function written(amounts: Amounts): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]))
}
