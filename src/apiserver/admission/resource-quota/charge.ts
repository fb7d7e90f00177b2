import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../../api/kube-object.js'
import {
  amountsIncrease,
  amountsText,
  filterAmounts,
  type ResourceAmounts,
  readAmounts,
} from '../../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../../api/quotas/evaluator.js'
import { isInScopes } from '../../../api/quotas/scopes.js'
import { Quantity } from '../../../schema/values/quantity.js'

/** What is to be written, and what it replaces. */
export interface QuotaWrite {
  readonly object: KubeObject
  readonly old: KubeObject | undefined
  readonly measure: QuotaEvaluator
  /** What the object uses, and what the old one did. */
  readonly usage: ResourceAmounts
  readonly oldUsage: ResourceAmounts
}

/** What a quota says to a write: no and why, or what is used after it; nothing if nothing more is. */
export type Charge = { readonly refused: string } | { readonly used?: Readonly<Record<string, string>> }

const unaffected: Charge = {}
export const noUsage: ResourceAmounts = new Map()

/** Which of the resources that a quota limits a write has to do with; none if it is not in the quota's scopes. */
export function limitedResourcesOf(
  quota: ResourceQuota,
  object: KubeObject,
  measure: QuotaEvaluator,
): readonly string[] {
  const concerned = Object.keys(quota.status.hard ?? {}).filter(measure.concerns)
  if (concerned.length === 0) return concerned
  return isInScopes(quota, object, measure) ? concerned : []
}

export function charge(quota: ResourceQuota, { object, old, measure, usage, oldUsage }: QuotaWrite): Charge {
  const { status } = quota
  const name = quota.metadata.name!
  const concerned = limitedResourcesOf(quota, object, measure)
  if (concerned.length === 0) return unaffected
  const missing = measure.missing?.(object, concerned) ?? ''
  if (missing !== '') return { refused: `failed quota: ${name}: ${missing}` }
  if (concerned.some((resource) => status.used?.[resource] === undefined))
    return { refused: `status unknown for quota: ${name}, resources: ${[...concerned].sort().join(',')}` }
  // What was not in the quota's scopes before has not been counted yet.
  const counted = old && isInScopes(quota, old, measure) ? oldUsage : noUsage
  const more = amountsIncrease(usage, counted)
  return chargeMore(
    quota,
    filterAmounts(more, (resource) => concerned.includes(resource)),
  )
}

function chargeMore({ metadata, status }: ResourceQuota, more: ResourceAmounts): Charge {
  if (more.size === 0) return unaffected
  const used = { ...status.used }
  const exceeded: string[] = []
  for (const [name, amount] of more) {
    const total = Quantity.parse(used[name]!).add(amount)
    if (total.compare(Quantity.parse(status.hard![name]!)) > 0) exceeded.push(name)
    used[name] = String(total)
  }
  if (exceeded.length === 0) return { used }
  const isExceeded = (name: string) => exceeded.includes(name)
  const requested = amountsText(filterAmounts(more, isExceeded))
  const sofar = amountsText(filterAmounts(readAmounts(status.used), isExceeded))
  const limited = amountsText(filterAmounts(readAmounts(status.hard), isExceeded))
  return { refused: `exceeded quota: ${metadata.name}, requested: ${requested}, used: ${sofar}, limited: ${limited}` }
}
