import type { Affinity, PodAffinityTerm } from '../core/v1/affinity.js'
import { qosClassOf } from '../core/v1/pod/qos.js'
import type { Pod } from '../core/v1/pod.js'
import type { ResourceQuota, ScopedResourceSelectorRequirement } from '../core/v1/resource-quota.js'

import type { KubeObject } from '../kube-object.js'
import type { QuotaEvaluator } from './evaluator.js'

type Requirement = ScopedResourceSelectorRequirement

/** All scopes of a quota, which an object must match to count. */
export function scopesOf({ spec: { scopes = [], scopeSelector } }: ResourceQuota): readonly Requirement[] {
  return [
    ...scopes.map((scopeName): Requirement => ({ scopeName, operator: 'Exists' })),
    ...(scopeSelector?.matchExpressions ?? []),
  ]
}

/** Whether an object is in all scopes of a quota. */
export function isInScopes(quota: ResourceQuota, object: KubeObject, { inScope }: QuotaEvaluator): boolean {
  return scopesOf(quota).every((scope) => inScope?.(object, scope) ?? false)
}

/** Whether a value, or its absence, matches a requirement. */
export function matchesValue({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}

export function podInScope(pod: Pod, scope: Requirement): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(pod)
    case 'NotTerminating':
      return !isTerminating(pod)
    case 'BestEffort':
      return qosClassOf(pod.spec) === 'BestEffort'
    case 'NotBestEffort':
      return qosClassOf(pod.spec) !== 'BestEffort'
    case 'PriorityClass':
      return matchesValue(scope, pod.spec.priorityClassName || undefined)
    case 'CrossNamespacePodAffinity':
      return reachesOtherNamespaces(pod.spec.affinity)
    default:
      return false
  }
}

/** Whether a pod has a deadline. */
function isTerminating({ spec: { activeDeadlineSeconds } }: Pod): boolean {
  return activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0
}

function reachesOtherNamespaces({ podAffinity, podAntiAffinity }: Affinity = {}): boolean {
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const { requiredDuringSchedulingIgnoredDuringExecution: required = [] } = affinity ?? {}
    const { preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } = affinity ?? {}
    return [...required, ...preferred.map(({ podAffinityTerm }) => podAffinityTerm)].some(namesNamespaces)
  })
}

function namesNamespaces({ namespaces = [], namespaceSelector }: PodAffinityTerm): boolean {
  return namespaces.length > 0 || namespaceSelector !== undefined
}
