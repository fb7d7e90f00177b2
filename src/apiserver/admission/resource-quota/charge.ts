import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../../api/kube-object.js'
import {
  type Amounts,
  amountsText,
  increase,
  only,
  readAmounts,
  sum,
  writtenAmounts,
} from '../../../api/quotas/amounts.js'
import type { Measure } from '../../../api/quotas/measure.js'
import { isInScopes } from '../../../api/quotas/scopes.js'

/** What is to be written, and what it replaces. */
export interface Charged {
  readonly object: KubeObject
  readonly old: KubeObject | undefined
  readonly measure: Measure
  readonly now: number
}

/** What a quota says to a write: no and why, or what is used after it; nothing if nothing more is. */
export type Charge = { readonly refused: string } | { readonly used?: Readonly<Record<string, string>> }

const unaffected: Charge = {}

/** Which of the resources that a quota limits a write has to do with; none if it is not in the quota's scopes. */
export function concernedIn(quota: ResourceQuota, object: KubeObject, measure: Measure): readonly string[] {
  const concerned = Object.keys(quota.status.hard ?? {}).filter(measure.concerns)
  if (concerned.length === 0) return concerned
  return isInScopes(quota, object, measure) ? concerned : []
}

export function charge(quota: ResourceQuota, { object, old, measure, now }: Charged): Charge {
  const { status } = quota
  const name = quota.metadata.name!
  const concerned = concernedIn(quota, object, measure)
  if (concerned.length === 0) return unaffected
  const missing = measure.missing?.(object, concerned) ?? ''
  if (missing !== '') return { refused: `failed quota: ${name}: ${missing}` }
  if (concerned.some((resource) => status.used?.[resource] === undefined))
    return { refused: `status unknown for quota: ${name}, resources: ${[...concerned].sort().join(',')}` }
  // What was not in the quota's scopes before has not been counted yet.
  const counted = old && isInScopes(quota, old, measure) ? measure.usage(old, now) : new Map()
  const more = increase(measure.usage(object, now), counted)
  return chargeMore(
    quota,
    only(more, (resource) => concerned.includes(resource)),
  )
}

function chargeMore({ metadata, status }: ResourceQuota, more: Amounts): Charge {
  if (more.size === 0) return unaffected
  const hard = readAmounts(status.hard)
  const before = readAmounts(status.used)
  const used = sum(before, more)
  const isExceeded = (resource: string) => more.has(resource) && used.get(resource)!.compare(hard.get(resource)!) > 0
  const exceeded = only(more, isExceeded)
  if (exceeded.size === 0) return { used: writtenAmounts(used) }
  const requested = amountsText(exceeded)
  const sofar = amountsText(only(before, isExceeded))
  const limited = amountsText(only(hard, isExceeded))
  return { refused: `exceeded quota: ${metadata.name}, requested: ${requested}, used: ${sofar}, limited: ${limited}` }
}
