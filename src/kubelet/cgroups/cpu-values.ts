/** Converts millicores to the kernel's units. All constants are the kernel's or upstream's. */

export const fewestShares = 2
const mostShares = 262_144
const sharesOfCpu = 1024

/** Microseconds. */
export const usualPeriod = 100_000
const shortestQuota = 1000

/** Returns the weight of a cgroup in version 1. */
export function cpuShares(milliCpu: number): number {
  const shares = Math.floor((milliCpu * sharesOfCpu) / 1000)
  return Math.min(Math.max(shares, fewestShares), mostShares)
}

/** Inverse of `cpuShares`, up to rounding. */
export function milliCpuOfShares(shares: number): number {
  return shares <= fewestShares ? 0 : Math.ceil((shares * 1000) / sharesOfCpu)
}

/** Returns the weight of a cgroup in version 2, from 1 to 10,000. */
export function cpuWeight(shares: number): number {
  return shares >= mostShares ? 10_000 : 1 + Math.floor(((shares - fewestShares) * 9999) / 262_142)
}

/** Inverse of `cpuWeight`, up to rounding. */
export function sharesOfWeight(weight: number): number {
  return Math.floor(((weight - 1) * 262_142) / 9999) + fewestShares
}

/** Returns the CPU microseconds per period, or 0 for no limit. */
export function cpuQuota(milliCpu: number, period = usualPeriod): number {
  return milliCpu === 0 ? 0 : Math.max(Math.floor((milliCpu * period) / 1000), shortestQuota)
}
