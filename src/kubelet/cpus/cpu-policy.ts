import { Quantity } from '../../schema/values/quantity.js'
import { readCheckpoint, verifyPolicy } from './cpu-checkpoint.js'
import { type CpuManager, type CpuManagerDependencies, cpuManager, cpuStateFile } from './cpu-manager.js'
import type { CpuSet } from './cpu-set.js'

/** Settings of the CPU manager. */
export interface CpuSettings {
  /** `--cpu-manager-policy`. Defaults to `none`: all containers share all CPUs. */
  readonly policy?: 'none' | 'static' | undefined
  /** `--reserved-cpus`: reserve exactly these, instead of as many as the node reserves. */
  readonly reserved?: CpuSet | undefined
  /** `--cpu-manager-reconcile-period` in milliseconds. Defaults to 10 s. */
  readonly reconcilePeriod?: number | undefined
}

export interface CpuPolicyDependencies extends Omit<CpuManagerDependencies, 'reserved'> {
  readonly settings: CpuSettings
  /** Reserved resources of the node. Only `cpu` counts. */
  readonly reservations: readonly (Readonly<Record<string, string>> | undefined)[]
}

/** Returns undefined for the policy `none`. Throws if a checkpoint of another policy exists. */
export function cpuManagerFor({
  settings,
  reservations,
  ...dependencies
}: CpuPolicyDependencies): CpuManager | undefined {
  if (settings.policy === 'static')
    return cpuManager({ ...dependencies, reserved: settings.reserved ?? reservedCores(reservations) })
  const file = cpuStateFile(dependencies.identity)
  const known = readCheckpoint(file)
  if (known) verifyPolicy(known, 'none', file)
  return undefined
}

/** Rounds up to whole CPUs. */
function reservedCores(reservations: CpuPolicyDependencies['reservations']): number {
  const milli = reservations.map((amounts) => Quantity.parse(amounts?.cpu ?? '0').milliValue())
  return Math.ceil(milli.reduce((sum, each) => sum + each, 0) / 1000)
}
