import type { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { equalAmounts, type QuotaQuantities, readAmounts, writtenAmounts } from '../../api/quotas/amounts.js'

export interface QuotaObservation {
  readonly quota: ResourceQuota
  /** What is in use, as far as it can be counted. */
  readonly counted: QuotaQuantities
}

export interface QuotaDecision {
  /** The status to write; undefined if the quota has it. */
  readonly status: ResourceQuota['status'] | undefined
}

/** A resource that cannot be counted keeps its last value. */
export function decide({ quota: { spec, status }, counted }: QuotaObservation): QuotaDecision {
  const hard = readAmounts(spec.hard)
  const before = readAmounts(status.used)
  const used = new Map([...before, ...counted].filter(([name]) => hard.has(name)))
  const isWritten =
    status.used !== undefined && equalAmounts(readAmounts(status.hard), hard) && equalAmounts(before, used)
  return { status: isWritten ? undefined : { hard: spec.hard ?? {}, used: writtenAmounts(used) } }
}
