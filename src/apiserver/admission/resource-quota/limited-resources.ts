import type { ScopedResourceSelectorRequirement } from '../../../api/core/v1/resource-quota.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { QuotaQuantities } from '../../../api/quotas/amounts.js'
import type { QuotaEvaluator } from '../../../api/quotas/evaluator.js'
import type { LimitedResource } from './configuration.js'

type Requirement = ScopedResourceSelectorRequirement

/** The resources and scopes that all quotas together cover for a write. */
export interface QuotaCoverage {
  /** Resources of quotas whose scopes the object is in. */
  readonly resources: ReadonlySet<string>
  /** Scopes of any quota that match the object. */
  readonly scopes: readonly Requirement[]
}

export interface LimitedWrite {
  readonly group: string
  readonly resource: string
  readonly object: KubeObject
  readonly evaluator: QuotaEvaluator
  readonly usage: QuotaQuantities
}

/** Returns the limited resources or scopes that a write uses and no quota covers; undefined if there are none. */
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
  const matching = limited.filter((one) => one.resource === resource && (one.apiGroup ?? '') === group)
  const used = [...usage].filter(([, amount]) => amount.sign() > 0).map(([name]) => name)
  return matching.flatMap(({ matchContains = [] }) =>
    used.filter((name) => matchContains.some((part) => name.includes(part))),
  )
}

/** The resource of the entry does not matter here: only pods and claims have scopes. */
function limitedScopes(limited: readonly LimitedResource[], { object, evaluator }: LimitedWrite): Requirement[] {
  const { inScope } = evaluator
  if (!inScope) return []
  return limited.flatMap(({ matchScopes = [] }) => matchScopes.filter((scope) => inScope(object, scope)))
}

/** `{PriorityClass In [high urgent]}` */
function scopeText({ scopeName, operator, values = [] }: Requirement): string {
  return `{${scopeName} ${operator} [${values.join(' ')}]}`
}
