import type { Container } from '../../../api/core/v1/container.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { PartialMessage } from '../../../cri/interface/message.js'
import type { LinuxContainerResources } from '../../../cri/interface/resources.js'
import { Quantity } from '../../../schema/values/quantity.js'
import { cpuQuota, cpuShares, usualPeriod } from '../../cgroups/cpu-values.js'
import { hugePageLimits } from '../../cgroups/huge-pages.js'
import { podAmounts } from '../../cgroups/pod-amounts.js'
import type { ContainerHost } from './container-host.js'
import { oomScore } from './oom-score.js'
import { type SwapBehavior, swapResources } from './swap.js'

export interface ResourceSettings {
  /** Whether CPU limits are enforced (`--cpu-cfs-quota`). */
  readonly cpuQuota: boolean
  /** Microseconds (`--cpu-cfs-quota-period`). */
  readonly cpuPeriod: number
  readonly swap: SwapBehavior
  /** Whether the OOM killer kills single processes instead of the whole container. Always so in cgroup version 1. */
  readonly killsSingleProcess: boolean
}

export const usualResourceSettings: ResourceSettings = {
  cpuQuota: true,
  cpuPeriod: usualPeriod,
  swap: 'NoSwap',
  killsSingleProcess: false,
}

export interface ContainerResourceRequest {
  readonly pod: Pod
  readonly container: Container
  readonly host: ContainerHost
  readonly settings: ResourceSettings
  /** CPU set of the container, or '' for all CPUs. */
  readonly cpus: string
  /** Whether these CPUs are exclusive. No quota is needed then. */
  readonly hasExclusiveCpus: boolean
}

export function containerResources(request: ContainerResourceRequest): PartialMessage<LinuxContainerResources> {
  const { pod, container, host, settings, cpus, hasExclusiveCpus } = request
  const { requests = {}, limits = {} } = container.resources ?? {}
  const base = basicResources(
    {
      cpuRequest: requests.cpu === undefined ? undefined : quantity(requests.cpu),
      cpuLimit: orPods(limits.cpu, pod.spec.resources?.limits?.cpu),
      memoryLimit: orPods(limits.memory, pod.spec.resources?.limits?.memory),
      isQuotaFree: hasExclusiveCpus,
    },
    host,
    settings,
  )
  const score = oomScore(pod, container, host.memory)
  const pages = hugePageLimits(
    Object.entries(limits).map(([name, amount]) => [name, quantity(amount)]),
    host.hugePageSizes,
  )
  return {
    ...base,
    ...swapResources(base, { pod, container, host, behavior: settings.swap }),
    cpusetCpus: cpus,
    oomScoreAdj: Math.max(score, host.lowestOomScore ?? score),
    hugepageLimits: [...pages].map(([pageSize, limit]) => ({ pageSize, limit })),
  }
}

/** Returns the resources of the whole pod, for runtimes that size the sandbox in advance. */
export function sandboxResources(
  { spec }: Pod,
  host: ContainerHost,
  { settings, hasExclusiveCpus }: { readonly settings: ResourceSettings; readonly hasExclusiveCpus: boolean },
): {
  readonly resources: PartialMessage<LinuxContainerResources>
  readonly overhead: PartialMessage<LinuxContainerResources>
} {
  const requests = podAmounts(spec, 'requests', { withOverhead: false })
  const limits = podAmounts(spec, 'limits', { withOverhead: false })
  const cost = quantity(spec.overhead?.cpu ?? '0')
  const overhead = { cpuRequest: cost, cpuLimit: cost, memoryLimit: quantity(spec.overhead?.memory ?? '0') }
  return {
    resources: basicResources(
      {
        cpuRequest: requests.get('cpu'),
        cpuLimit: limits.get('cpu') ?? Quantity.zero,
        memoryLimit: limits.get('memory') ?? Quantity.zero,
        isQuotaFree: hasExclusiveCpus,
      },
      host,
      settings,
    ),
    overhead: spec.overhead ? basicResources({ ...overhead, isQuotaFree: false }, host, settings) : {},
  }
}

interface BasicAmounts {
  /** Undefined without a request. The limit counts then. */
  readonly cpuRequest: Quantity | undefined
  readonly cpuLimit: Quantity
  readonly memoryLimit: Quantity
  readonly isQuotaFree: boolean
}

function basicResources(
  { cpuRequest, cpuLimit, memoryLimit, isQuotaFree }: BasicAmounts,
  host: ContainerHost,
  settings: ResourceSettings,
): PartialMessage<LinuxContainerResources> {
  const quota = isQuotaFree ? -1 : cpuQuota(cpuLimit.milliValue(), settings.cpuPeriod)
  return {
    cpuShares: cpuShares((cpuRequest ?? cpuLimit).milliValue()),
    memoryLimitInBytes: memoryLimit.value(),
    ...(settings.cpuQuota && { cpuQuota: quota, cpuPeriod: settings.cpuPeriod }),
    unified: host.cgroups === 2 && !settings.killsSingleProcess ? { 'memory.oom.group': '1' } : {},
  }
}

/** Falls back to the limit of the pod. */
function orPods(own: string | undefined, ofPod: string | undefined): Quantity {
  const limit = quantity(own ?? '0')
  return limit.isZero() ? quantity(ofPod ?? '0') : limit
}

function quantity(text: string): Quantity {
  return Quantity.parse(text)
}
