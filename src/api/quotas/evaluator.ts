import type { ScopedResourceSelectorRequirement } from '../core/v1/resource-quota.js'
import type { KubeObject } from '../kube-object.js'
import { oneOfEach, type ResourceQuantities } from './amounts.js'

/** A write, as far as it matters here. */
export interface QuotaOperation {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly subresource: string
}

/** How objects of one resource are counted and measured. */
export interface QuotaEvaluator {
  /** Whether such a write can raise what is used. */
  readonly counts: (write: QuotaOperation) => boolean
  /** Whether a resource that a quota limits has to do with these objects. */
  readonly concerns: (resource: string) => boolean
  /** What an object uses, at a time in milliseconds. */
  readonly usage: (object: KubeObject, now: number) => ResourceQuantities
  /** What is missing for a quota to measure an object by, as a refusal says it; empty if nothing is. */
  readonly missing?: (object: KubeObject, limited: readonly string[]) => string
  /** Whether an object is in a scope; kinds without scopes are in none. */
  readonly inScope?: (object: KubeObject, scope: ScopedResourceSelectorRequirement) => boolean
}

/** Old names of counts, from before everything could be counted. */
const plainNames: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'resourcequotas', 'replicationcontrollers'])

/** How things are counted that are nothing but counted. */
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
