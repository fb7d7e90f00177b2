/** How the kernel counts what Kubernetes counts in thousandths of a CPU. All numbers are the kernel's or upstream's. */

export const fewestShares = 2
const mostShares = 262_144
const sharesOfCpu = 1024

/** Microseconds. */
export const usualPeriod = 100_000
const shortestQuota = 1000

/** The weight of a cgroup against its siblings, by version 1 of cgroups. */
export function cpuShares(milliCpu: number): number {
  const shares = Math.floor((milliCpu * sharesOfCpu) / 1000)
  return Math.min(Math.max(shares, fewestShares), mostShares)
}

/** The other way round, as nearly as it can be told. */
export function milliCpuOfShares(shares: number): number {
  return shares <= fewestShares ? 0 : Math.ceil((shares * 1000) / sharesOfCpu)
}

/** The same weight by version 2, which counts from 1 to 10,000. */
export function cpuWeight(shares: number): number {
  return shares >= mostShares ? 10_000 : 1 + Math.floor(((shares - fewestShares) * 9999) / 262_142)
}

/** The other way round, as nearly as it can be told. */
export function sharesOfWeight(weight: number): number {
  return Math.floor(((weight - 1) * 262_142) / 9999) + fewestShares
}

/** Microseconds of CPU in each period; 0 where there is no limit. */
export function cpuQuota(milliCpu: number, period = usualPeriod): number {
  return milliCpu === 0 ? 0 : Math.max(Math.floor((milliCpu * period) / 1000), shortestQuota)
}
