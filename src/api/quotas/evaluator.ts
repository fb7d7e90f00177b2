import type { ScopedResourceSelectorRequirement } from '../core/v1/resource-quota.js'
import type { KubeObject } from '../kube-object.js'
import { oneOfEach, type QuotaQuantities } from './amounts.js'

/** The facts about a write that quotas need. */
export interface QuotaOperation {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly subresource: string
}

/** Computes the quota usage of objects of one resource. */
export interface QuotaEvaluator {
  /** Whether such a write can increase the usage. */
  readonly counts: (write: QuotaOperation) => boolean
  /** Whether these objects use a resource that a quota limits. */
  readonly concerns: (resource: string) => boolean
  /** The usage of an object at a time in milliseconds. */
  readonly usage: (object: KubeObject, now: number) => QuotaQuantities
  /** The message about fields that an object lacks for the quota to compute its usage; empty if there are none. */
  readonly missing?: (object: KubeObject, limited: readonly string[]) => string
  /** Whether an object is in a scope. Absent for kinds without scopes. */
  readonly inScope?: (object: KubeObject, scope: ScopedResourceSelectorRequirement) => boolean
}

/** Resources whose count has a short name, from before `count/…` existed. */
const plainNames: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'resourcequotas', 'replicationcontrollers'])

/** The evaluator of a resource of which only the number of objects is limited. */
export function objectCountEvaluator(group: string, resource: string): QuotaEvaluator {
  const name = countName(group, resource)
  const names = group === '' && plainNames.has(resource) ? [name, resource] : [name]
  const usage = oneOfEach(...names)
  return {
    counts: ({ operation }) => operation === 'CREATE',
    concerns: (limited) => names.includes(limited),
    usage: () => usage,
  }
}

export function countName(group: string, resource: string): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`
}
