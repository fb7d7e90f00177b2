import type { ScopedResourceSelectorRequirement } from '../../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { ResourceAmounts } from '../../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../../api/quotas/evaluator.js'
import type { LimitedResource } from './configuration.js'

type Requirement = ScopedResourceSelectorRequirement

/** What quotas have to say about a write, taken together. */
export interface QuotaCoverage {
  /** Names of what those limit whose scopes the object is in. */
  readonly resources: ReadonlySet<string>
  /** Scopes of any quota that the object is in. */
  readonly scopes: readonly Requirement[]
}

export interface LimitedWrite {
  readonly group: string
  readonly resource: string
  readonly object: KubeObject
  readonly measure: QuotaEvaluator
  readonly usage: ResourceAmounts
}

/** Why a write must not be, because no quota covers what it uses and what must be covered; undefined if it may be. */
export function uncoveredUsage(
  limited: readonly LimitedResource[],
  write: LimitedWrite,
  coverage: QuotaCoverage,
): { readonly resources?: string; readonly scopes?: string } | undefined {
  const missing = limitedNames(limited, write).filter((name) => !coverage.resources.has(name))
  if (missing.length > 0) return { resources: [...new Set(missing)].sort().join(',') }
  const isCovered = ({ scopeName }: Requirement) => coverage.scopes.some((scope) => scope.scopeName === scopeName)
  const scopes = limitedScopes(limited, write).filter((scope) => !isCovered(scope))
  return scopes.length > 0 ? { scopes: `[${scopes.map(scopeText).join(' ')}]` } : undefined
}

function limitedNames(limited: readonly LimitedResource[], { group, resource, usage }: LimitedWrite): string[] {
  const about = limited.filter((one) => one.resource === resource && (one.apiGroup ?? '') === group)
  const used = [...usage].filter(([, amount]) => amount.sign() > 0).map(([name]) => name)
  return about.flatMap(({ matchContains = [] }) =>
    used.filter((name) => matchContains.some((part) => name.includes(part))),
  )
}

/** Which kind the scopes are limited for does not matter: only pods and claims are in any. */
function limitedScopes(limited: readonly LimitedResource[], { object, measure }: LimitedWrite): Requirement[] {
  const { inScope } = measure
  if (!inScope) return []
  return limited.flatMap(({ matchScopes = [] }) => matchScopes.filter((scope) => inScope(object, scope)))
}

/** `{PriorityClass In [high urgent]}` */
function scopeText({ scopeName, operator, values = [] }: Requirement): string {
  return `{${scopeName} ${operator} [${values.join(' ')}]}`
}
