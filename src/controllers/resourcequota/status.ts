import type { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { equalAmounts, type ResourceAmounts, readAmounts, writtenAmounts } from '../../api/quotas/amounts.js'

/** What is to be said of a quota; undefined if that is said already. Of what nobody can count, what was said before stays. */
export function statusOf(
  { spec, status }: ResourceQuota,
  counted: ResourceAmounts,
): ResourceQuota['status'] | undefined {
  const hard = readAmounts(spec.hard)
  const before = readAmounts(status.used)
  const used = new Map([...before, ...counted].filter(([name]) => hard.has(name)))
  const isSaid = status.used !== undefined && equalAmounts(readAmounts(status.hard), hard) && equalAmounts(before, used)
  return isSaid ? undefined : { hard: spec.hard ?? {}, used: writtenAmounts(used) }
}
