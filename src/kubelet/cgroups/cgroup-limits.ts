import { qosClassOf } from '../../api/core/v1/pod/qos.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { Quantity } from '../../schema/values/quantity.js'
import { cpuQuota, cpuShares, cpuWeight, fewestShares } from './cpu-values.js'
import { hugePageLimits } from './huge-pages.js'
import { podAmounts, resourceBytes, resourceMilliCpu } from './pod-amounts.js'

/** Limits of a cgroup. Undefined ones are not changed. */
export interface CgroupLimits {
  readonly cpuShares?: number
  /** Microseconds per period, or -1 for no limit. */
  readonly cpuQuota?: number
  readonly cpuPeriod?: number
  /** Bytes. */
  readonly memory?: number
  readonly processes?: number
  /** Bytes, by page size. */
  readonly hugePages?: ReadonlyMap<string, number>
}

export interface LimitSettings {
  /** Whether CPU limits are enforced. */
  readonly cpuQuota: boolean
  readonly cpuPeriod: number
  /** `--pod-max-pids`. Undefined for no limit. */
  readonly processes: number | undefined
  readonly hugePageSizes: readonly string[]
}

/** Returns the limits of a pod's cgroup. CPU and memory are limited only if every container is, or if the pod sets a limit itself. */
export function podLimits({ spec }: Pod, settings: LimitSettings, hasExclusiveCpus = false): CgroupLimits {
  const qos = qosClassOf(spec)
  const requests = podAmounts(spec, 'requests')
  const limits = podAmounts(spec, 'limits')
  const quota = settings.cpuQuota && !hasExclusiveCpus ? cpuQuota(resourceMilliCpu(limits), settings.cpuPeriod) : -1
  const isCpuLimited = qos !== 'BestEffort' && isLimited(spec, 'cpu')
  const memory = resourceBytes(limits, 'memory')
  return {
    cpuShares: qos === 'BestEffort' ? fewestShares : cpuShares(resourceMilliCpu(requests)),
    ...(isCpuLimited && quota !== 0 && { cpuQuota: quota, cpuPeriod: settings.cpuPeriod }),
    ...(qos !== 'BestEffort' && memory > 0 && isLimited(spec, 'memory') && { memory }),
    ...(settings.processes !== undefined && { processes: settings.processes }),
    hugePages: hugePageLimits(requests, settings.hugePageSizes),
  }
}

function isLimited({ resources, containers, initContainers = [] }: PodSpec, name: 'cpu' | 'memory'): boolean {
  const isSet = (limits: Readonly<Record<string, string>> = {}) => !Quantity.parse(limits[name] ?? '0').isZero()
  return isSet(resources?.limits) || [...containers, ...initContainers].every((one) => isSet(one.resources?.limits))
}

/** Returns the limits of all pods together, from the allocatable resources of the node. */
export function allocatableLimits(
  allocatable: Readonly<Record<string, string>>,
  hugePageSizes: readonly string[],
): CgroupLimits {
  const { cpu, memory, pid } = allocatable
  const amounts = Object.entries(allocatable).map(([name, amount]) => [name, Quantity.parse(amount)] as const)
  return {
    ...(cpu !== undefined && { cpuShares: cpuShares(Quantity.parse(cpu).milliValue()) }),
    ...(memory !== undefined && { memory: Quantity.parse(memory).value() }),
    ...(pid !== undefined && { processes: Quantity.parse(pid).value() }),
    hugePages: hugePageLimits(amounts, hugePageSizes),
  }
}

/** A value for one file of a cgroup controller. */
export interface CgroupFileSetting {
  readonly controller: string
  readonly file: string
  readonly value: string
}

export function settingsOfVersion1(limits: CgroupLimits): readonly CgroupFileSetting[] {
  const { hugePages = new Map<string, number>() } = limits
  return [
    ...setting('cpu', 'cpu.shares', limits.cpuShares),
    ...setting('cpu', 'cpu.cfs_period_us', limits.cpuPeriod),
    ...setting('cpu', 'cpu.cfs_quota_us', limits.cpuQuota),
    ...setting('memory', 'memory.limit_in_bytes', limits.memory),
    ...setting('pids', 'pids.max', limits.processes),
    ...[...hugePages].flatMap(([size, limit]) => setting('hugetlb', `hugetlb.${size}.limit_in_bytes`, limit)),
  ]
}

export function settingsOfVersion2(limits: CgroupLimits): readonly CgroupFileSetting[] {
  const { cpuShares: shares, cpuQuota: quota, cpuPeriod, hugePages = new Map<string, number>() } = limits
  const most = quota === undefined ? undefined : `${quota < 0 ? 'max' : quota} ${cpuPeriod}`
  return [
    ...setting('cpu', 'cpu.weight', shares === undefined ? undefined : cpuWeight(shares)),
    ...setting('cpu', 'cpu.max', most),
    ...setting('memory', 'memory.max', limits.memory),
    ...setting('pids', 'pids.max', limits.processes),
    ...[...hugePages].flatMap(([size, limit]) => setting('hugetlb', `hugetlb.${size}.max`, limit)),
  ]
}

function setting(controller: string, file: string, value: string | number | undefined): readonly CgroupFileSetting[] {
  return value === undefined ? [] : [{ controller, file, value: String(value) }]
}
