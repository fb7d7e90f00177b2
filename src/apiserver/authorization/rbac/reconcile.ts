import type { KubeObject } from '../../../api/kube-object.js'
import type { ObjectMeta } from '../../../api/meta/v1/object-meta.js'
import type { RoleBindingParts } from '../../../api/rbac/v1/binding-validation.js'
import type { ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import type { Role } from '../../../api/rbac/v1/role.js'
import type { Subject } from '../../../api/rbac/v1/role-binding.js'
import { sameJson } from '../../../schema/json-value.js'
import { autoUpdate } from './bootstrap-policy.js'
import { uncovered } from './coverage.js'

/** What to do with an existing bootstrap object. */
export type RoleReconcileResult =
  | { readonly is: 'unchanged' }
  | { readonly is: 'changed'; readonly object: KubeObject }
  /** Delete and create it again: its role cannot be changed. */
  | { readonly is: 'replaced' }

const unchanged: RoleReconcileResult = { is: 'unchanged' }

/**
 * Adds the missing rules of a role. Keeps rules that an administrator has added. Leaves the rules of an aggregated role to its controller, unless
 * the role has none yet.
 */
export function reconcileRole(existing: KubeObject, wanted: ClusterRole | Role): RoleReconcileResult {
  if (isProtected(existing)) return unchanged
  const role = existing as ClusterRole
  const metadata = withMetadata(role.metadata, wanted.metadata)
  const aggregation = 'aggregationRule' in wanted ? wanted.aggregationRule : undefined
  const rules = role.rules ?? []
  const missing = aggregation && rules.length > 0 ? [] : [...uncovered(rules, wanted.rules ?? [])]
  return changed(existing, {
    ...role,
    metadata,
    ...(missing.length > 0 && { rules: [...rules, ...missing] }),
    ...(aggregation && { aggregationRule: role.aggregationRule ?? aggregation }),
  })
}

/** Adds the missing subjects of a binding. */
export function reconcileBinding(existing: KubeObject, wanted: RoleBindingParts & KubeObject): RoleReconcileResult {
  if (isProtected(existing)) return unchanged
  const binding = existing as RoleBindingParts & KubeObject
  if (!sameJson(binding.roleRef, wanted.roleRef)) return { is: 'replaced' }
  const metadata = withMetadata(binding.metadata, wanted.metadata)
  const subjects = binding.subjects ?? []
  const missing = (wanted.subjects ?? []).filter((subject) => !subjects.some((own) => isSame(own, subject)))
  return changed(existing, {
    ...binding,
    metadata,
    ...(missing.length > 0 && { subjects: [...subjects, ...missing] }),
  })
}

function isSame(one: Subject, other: Subject): boolean {
  return one.kind === other.kind && one.name === other.name && (one.namespace ?? '') === (other.namespace ?? '')
}

function isProtected({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[autoUpdate] === 'false'
}

/** Existing labels and annotations take precedence. */
function withMetadata(existing: ObjectMeta, { labels, annotations }: ObjectMeta): ObjectMeta {
  return {
    ...existing,
    labels: { ...labels, ...existing.labels },
    annotations: { ...annotations, ...existing.annotations },
  }
}

function changed(existing: KubeObject, object: object): RoleReconcileResult {
  return sameJson(existing, object) ? unchanged : { is: 'changed', object: object as KubeObject }
}
