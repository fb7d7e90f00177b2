import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { type Amounts, amountsText, increase, only, readAmounts, sum, writtenAmounts } from './amounts.js'
import type { Measure } from './measure.js'
import { scopesOf } from './scopes.js'

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

export function charge(quota: ResourceQuota, { object, old, measure, now }: Charged): Charge {
  const { status } = quota
  const name = quota.metadata.name!
  const concerned = Object.keys(status.hard ?? {}).filter(measure.concerns)
  const isInScope = scopesOf(quota).every((scope) => measure.inScope?.(object, scope) ?? false)
  if (concerned.length === 0 || !isInScope) return unaffected
  const missing = measure.missing?.(object, concerned) ?? ''
  if (missing !== '') return { refused: `failed quota: ${name}: ${missing}` }
  if (concerned.some((resource) => status.used?.[resource] === undefined))
    return { refused: `status unknown for quota: ${name}, resources: ${concerned.sort().join(',')}` }
  const more = increase(measure.usage(object, now), old ? measure.usage(old, now) : new Map())
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
