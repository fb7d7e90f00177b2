import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../../api/kube-object.js'
import {
  amountsIncrease,
  amountsText,
  filterAmounts,
  type QuotaQuantities,
  readAmounts,
} from '../../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../../api/quotas/evaluator.js'
import { isInScopes } from '../../../api/quotas/scopes.js'
import { Quantity } from '../../../schema/values/quantity.js'

/** A write and the usage that it causes. */
export interface QuotaWrite {
  readonly object: KubeObject
  readonly old: KubeObject | undefined
  readonly evaluator: QuotaEvaluator
  /** The usage of the new and of the stored object. */
  readonly usage: QuotaQuantities
  readonly oldUsage: QuotaQuantities
}

/** The reason if a quota rejects a write; otherwise the quota's new usage, if it changes. */
export type QuotaCharge = { readonly rejected: string } | { readonly used?: Readonly<Record<string, string>> }

const unaffected: QuotaCharge = {}
export const noUsage: QuotaQuantities = new Map()

/** Returns the resources of a quota that a write affects; none if the object is outside of the quota's scopes. */
export function limitedResourcesOf(
  quota: ResourceQuota,
  object: KubeObject,
  evaluator: QuotaEvaluator,
): readonly string[] {
  const affected = Object.keys(quota.status.hard ?? {}).filter(evaluator.concerns)
  if (affected.length === 0) return affected
  return isInScopes(quota, object, evaluator) ? affected : []
}

/** Charges a quota with the additional usage of a write. */
export function charge(quota: ResourceQuota, { object, old, evaluator, usage, oldUsage }: QuotaWrite): QuotaCharge {
  const { status } = quota
  const name = quota.metadata.name!
  const affected = limitedResourcesOf(quota, object, evaluator)
  if (affected.length === 0) return unaffected
  const missing = evaluator.missing?.(object, affected) ?? ''
  if (missing !== '') return { rejected: `failed quota: ${name}: ${missing}` }
  if (affected.some((resource) => status.used?.[resource] === undefined))
    return { rejected: `status unknown for quota: ${name}, resources: ${[...affected].sort().join(',')}` }
  // An object that was outside of the quota's scopes has not been counted yet.
  const counted = old && isInScopes(quota, old, evaluator) ? oldUsage : noUsage
  const increase = amountsIncrease(usage, counted)
  return chargeIncrease(
    quota,
    filterAmounts(increase, (resource) => affected.includes(resource)),
  )
}

function chargeIncrease({ metadata, status }: ResourceQuota, increase: QuotaQuantities): QuotaCharge {
  if (increase.size === 0) return unaffected
  const used = { ...status.used }
  const exceeded: string[] = []
  for (const [name, amount] of increase) {
    const total = Quantity.parse(used[name]!).add(amount)
    if (total.compare(Quantity.parse(status.hard![name]!)) > 0) exceeded.push(name)
    used[name] = String(total)
  }
  if (exceeded.length === 0) return { used }
  const isExceeded = (name: string) => exceeded.includes(name)
  const requested = amountsText(filterAmounts(increase, isExceeded))
  const sofar = amountsText(filterAmounts(readAmounts(status.used), isExceeded))
  const limited = amountsText(filterAmounts(readAmounts(status.hard), isExceeded))
  return { rejected: `exceeded quota: ${metadata.name}, requested: ${requested}, used: ${sofar}, limited: ${limited}` }
}
