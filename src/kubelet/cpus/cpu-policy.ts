import { Quantity } from '../../schema/values/quantity.js'
import { readCheckpoint, verifyPolicy } from './cpu-checkpoint.js'
import { type CpuManager, type CpuManagerDependencies, cpuManager, cpuStateFile } from './cpu-manager.js'
import type { CpuSet } from './cpu-set.js'

/** What a user can say about cores. */
export interface CpuSettings {
  /** `--cpu-manager-policy`; none unless told: all share all cores. */
  readonly policy?: 'none' | 'static' | undefined
  /** `--reserved-cpus`: just these are kept back, in place of as many as the node reserves. */
  readonly reserved?: CpuSet | undefined
  /** `--cpu-manager-reconcile-period`, in milliseconds: 10 s unless told. */
  readonly reconcilePeriod?: number | undefined
}

export interface CpuPolicyDependencies extends Omit<CpuManagerDependencies, 'reserved'> {
  readonly settings: CpuSettings
  /** Amounts that are kept back from pods; of each, `cpu` counts. */
  readonly reservations: readonly (Readonly<Record<string, string>> | undefined)[]
}

/** Undefined where all share all cores. Throws if what an earlier life left behind is of another policy. */
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

/** Whole ones: part of a core cannot be kept back. */
function reservedCores(reservations: CpuPolicyDependencies['reservations']): number {
  const milli = reservations.map((amounts) => Quantity.parse(amounts?.cpu ?? '0').milliValue())
  return Math.ceil(milli.reduce((sum, each) => sum + each, 0) / 1000)
}
